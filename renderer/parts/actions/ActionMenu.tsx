import { Button } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import { MoreIcon } from '../icons.tsx';
import { type MenuAction, MenuList, type MenuListProps } from './MenuList.tsx';
import './action-menu.css';

interface ActionMenuProps {
  readonly name: string;
  readonly actions: readonly MenuAction[];
  /** As high as the small buttons beside it. */
  readonly compact?: boolean;
}

/** A button that opens a menu. Mantine's would add 12 kB to the page's first load, for the library that places it. */
export function ActionMenu({ actions, ...props }: ActionMenuProps) {
  return <MenuButton {...props}>{(menu) => <MenuList {...menu} actions={actions} />}</MenuButton>;
}

/** An open menu, but for its actions. */
export type OpenMenu = Pick<MenuListProps, 'id' | 'name' | 'first' | 'onClose'>;

interface MenuButtonProps extends Omit<ActionMenuProps, 'actions'> {
  /** Makes the menu once it is open, since a list has hundreds of these buttons. */
  readonly children: (menu: OpenMenu) => ReactNode;
}

/** The same, of a menu whose actions take some work. */
export function MenuButton({ name, compact = false, children }: MenuButtonProps) {
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
      {open !== null && children({ id, name, first: open, onClose: close })}
    </span>
  );
}
