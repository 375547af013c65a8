import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { MoreIcon } from './icons.tsx';
import './action-menu.css';

interface MenuAction {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  /** A link's target, or what a press does. */
  readonly act: string | (() => void);
}

interface ActionMenuProps {
  readonly name: string;
  readonly actions: readonly MenuAction[];
}

/** A button that opens a menu. Mantine's would add 12 kB to the page's first load, for the library that places it. */
export function ActionMenu({ name, actions }: ActionMenuProps) {
  const [opened, setOpened] = useState<false | 'at-first' | 'at-last'>(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const menu = list.current;
    if (!opened || !menu) return;
    const place = () => {
      menu.classList.remove('action-menu-at-end');
      const { right } = menu.getBoundingClientRect();
      menu.classList.toggle('action-menu-at-end', right > document.documentElement.clientWidth);
    };
    place();
    menu.scrollIntoView({ block: 'nearest' }); // it may reach below the visible part of the page
    itemsIn(menu)
      .at(opened === 'at-last' ? -1 : 0)
      ?.focus();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [opened]);

  function onKeyDown(event: KeyboardEvent): void {
    const items = itemsIn(list.current);
    const current = items.indexOf(document.activeElement as HTMLElement);
    const { length } = items;
    const targets = { ArrowDown: current + 1, ArrowUp: current - 1 + length, Home: 0, End: length - 1 };
    const target = Object.entries(targets).find(([key]) => key === event.key)?.[1];
    if (target !== undefined) items[target % length]?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /** The focus goes back first, so that a dialog which the action opens returns it to the button. */
  function close(): void {
    button.current?.focus();
    setOpened(false);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the menu when the focus leaves it
    <span
      className="action-menu"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpened(false);
      }}
    >
      <Button
        ref={button}
        className="action-menu-button"
        variant="default"
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={opened !== false}
        aria-controls={opened ? id : undefined}
        // Safari does not focus a pressed button.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          button.current?.focus();
          setOpened(opened ? false : 'at-first');
        }}
        onKeyDown={(event) => {
          if (opened || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
          event.preventDefault();
          setOpened(event.key === 'ArrowUp' ? 'at-last' : 'at-first');
        }}
      >
        <MoreIcon size={16} />
      </Button>
      {opened && (
        <div
          ref={list}
          id={id}
          className="action-menu-list"
          role="menu"
          aria-label={name}
          tabIndex={-1}
          onKeyDown={onKeyDown}
        >
          {actions.map((action) => (
            <MenuItem key={action.title} action={action} onDone={close} />
          ))}
        </div>
      )}
    </span>
  );
}

function MenuItem({ action, onDone }: { readonly action: MenuAction; readonly onDone: () => void }) {
  const { title, icon, disabled = false, act } = action;
  const props = { role: 'menuitem', tabIndex: -1, className: 'action-menu-item' } as const;
  if (typeof act === 'string') {
    return (
      <a {...props} href={act} onClick={onDone}>
        {icon}
        {title}
      </a>
    );
  }
  const press = () => {
    if (disabled) return;
    onDone();
    act();
  };
  return (
    <button {...props} type="button" aria-disabled={disabled} onClick={press}>
      {icon}
      {title}
    </button>
  );
}

const itemsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];
