import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { ClosedIcon, CopyIcon, MoreIcon } from './icons.tsx';
import { useCopy } from './use-copy.ts';
import './action-menu.css';

export interface MenuAction {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  /** A link's target, what a press does, a text that it copies, or the menu that takes the place of this one. */
  readonly act: string | (() => void) | { readonly copies: string } | { readonly opens: readonly MenuAction[] };
}

interface ActionMenuProps {
  readonly name: string;
  readonly actions: readonly MenuAction[];
  /** As high as the small buttons beside it. */
  readonly compact?: boolean;
}

/** The open menu. */
interface OpenMenu {
  /** The title of the action whose menu is shown; null: the first menu. */
  readonly inside: string | null;
  /** The item that gets the focus: the first, the last, or the one with a title. */
  readonly focus: 0 | -1 | { readonly title: string };
}

const first: OpenMenu = { inside: null, focus: 0 };

/** A button that opens a menu. Mantine's would add 12 kB to the page's first load, for the library that places it. */
export function ActionMenu({ name, actions, compact = false }: ActionMenuProps) {
  const [open, setOpen] = useState<OpenMenu | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const { status, copy } = useCopy();
  const shown = menuAt(actions, open?.inside ?? null);
  useLayoutEffect(() => {
    const menu = list.current;
    if (!open || !menu) return;
    const place = () => {
      menu.classList.remove('action-menu-at-end');
      const { right } = menu.getBoundingClientRect();
      menu.classList.toggle('action-menu-at-end', right > document.documentElement.clientWidth);
    };
    place();
    menu.scrollIntoView({ block: 'nearest' }); // it may reach below the visible part of the page
    itemToFocus(menu, open)?.focus();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [open]);

  function onKeyDown(event: KeyboardEvent): void {
    const items = itemsIn(list.current);
    const current = items.indexOf(document.activeElement as HTMLElement);
    const { length } = items;
    const targets = { ArrowDown: current + 1, ArrowUp: current - 1 + length, Home: 0, End: length - 1 };
    const target = Object.entries(targets).find(([key]) => key === event.key)?.[1];
    const focused = items[current];
    const isInside = open !== null && open.inside !== null;
    if (target !== undefined) items[target % length]?.focus();
    else if (isInside && (event.key === 'Escape' || event.key === 'ArrowLeft')) goBack();
    else if (event.key === 'Escape') close();
    else if (event.key === 'ArrowRight' && focused?.hasAttribute('aria-haspopup')) focused.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /** The focus goes back first, so that a dialog which the action opens returns it to the button. */
  function close(): void {
    button.current?.focus();
    setOpen(null);
  }
  function goBack(): void {
    if (open?.inside) setOpen({ inside: null, focus: { title: open.inside } });
  }
  function press({ title, act }: MenuAction): void {
    if (typeof act === 'string') {
      close();
      return;
    }
    if (typeof act === 'function') {
      close();
      act();
    } else if ('copies' in act) void copy(act.copies);
    else setOpen({ inside: title, focus: 0 });
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
        aria-controls={open ? id : undefined}
        // Safari does not focus a pressed button.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          button.current?.focus();
          setOpen(open ? null : first);
        }}
        onKeyDown={(event) => {
          if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
          event.preventDefault();
          setOpen({ ...first, focus: event.key === 'ArrowUp' ? -1 : 0 });
        }}
      >
        <MoreIcon size={16} />
      </Button>
      {open && (
        <div
          ref={list}
          id={id}
          className="action-menu-list"
          role="menu"
          aria-label={open.inside ?? name}
          tabIndex={-1}
          onKeyDown={onKeyDown}
        >
          {shown.map((action) => (
            <MenuItem key={action.title} action={action} copied={status} onPress={() => press(action)} />
          ))}
        </div>
      )}
      {/* Beside the menu, in which it would be no item. */}
      {open && (
        <span className="visually-hidden" role="status">
          {status?.says}
        </span>
      )}
    </span>
  );
}

interface MenuItemProps {
  readonly action: MenuAction;
  /** The text that was copied last, and how that went; null: none a while ago. */
  readonly copied: ReturnType<typeof useCopy>['status'];
  readonly onPress: () => void;
}

function MenuItem({ action, copied, onPress }: MenuItemProps) {
  const { title, icon, disabled = false, act } = action;
  const props = {
    role: 'menuitem',
    tabIndex: -1,
    className: 'action-menu-item',
    // Escape closes the menu, and not the dialog that it is in.
    'data-mantine-stop-propagation': true,
  } as const;
  if (typeof act === 'string') {
    return (
      <a {...props} href={act} onClick={onPress}>
        {icon}
        {title}
      </a>
    );
  }
  const copies = typeof act === 'object' && 'copies' in act ? act.copies : null;
  const opens = typeof act === 'object' && 'opens' in act;
  return (
    <button
      {...props}
      type="button"
      aria-disabled={disabled}
      aria-haspopup={opens ? 'menu' : undefined}
      title={copies ?? undefined}
      onClick={() => !disabled && onPress()}
    >
      {icon ?? (copies !== null && <CopyIcon size={16} />)}
      {copies !== null && copied?.text === copies ? copied.says : title}
      {opens && <ClosedIcon size={16} />}
    </button>
  );
}

/** The items of the first menu, or of the one that an action with a title opens. */
function menuAt(actions: readonly MenuAction[], title: string | null): readonly MenuAction[] {
  const act = actions.find((action) => action.title === title)?.act;
  return typeof act === 'object' && 'opens' in act ? act.opens : actions;
}

const itemsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

function itemToFocus(list: HTMLElement, { focus }: OpenMenu): HTMLElement | undefined {
  const items = itemsIn(list);
  return typeof focus === 'number' ? items.at(focus) : items.find(({ textContent }) => textContent === focus.title);
}
