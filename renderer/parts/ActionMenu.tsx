import { Button } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { MoreIcon } from './icons.tsx';
import { type MenuAction, MenuList } from './MenuList.tsx';
import './action-menu.css';

interface ActionMenuProps {
  readonly name: string;
  readonly actions: readonly MenuAction[];
  /** As high as the small buttons beside it. */
  readonly compact?: boolean;
}

/** A button that opens a menu. Mantine's would add 12 kB to the page's first load, for the library that places it. */
export function ActionMenu({ name, actions, compact = false }: ActionMenuProps) {
  /** The item that the open menu focuses: the first, or the last; null: it is closed. */
  const [open, setOpen] = useState<0 | -1 | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  function close(): void {
    button.current?.focus();
    setOpen(null);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the menu when the focus leaves it
    <span
      className="action-menu"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(null);
      }}
    >
      <Button
        ref={button}
        className="action-menu-button"
        variant="default"
        size={compact ? 'compact-sm' : 'sm'}
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        aria-controls={open !== null ? id : undefined}
        // Safari does not focus a pressed button.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          button.current?.focus();
          setOpen(open === null ? 0 : null);
        }}
        onKeyDown={(event) => {
          if (open !== null || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
          event.preventDefault();
          setOpen(event.key === 'ArrowUp' ? -1 : 0);
        }}
      >
        <MoreIcon size={16} />
      </Button>
      {open !== null && <MenuList id={id} name={name} actions={actions} first={open} onClose={close} />}
    </span>
  );
}
