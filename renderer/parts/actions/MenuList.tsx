import { type CSSProperties, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ClosedIcon, CopyIcon } from '../icons.tsx';
import { useCopy } from './use-copy.ts';
import './action-menu.css';

export interface MenuAction {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  /** A link's target, what a press does, a text that it copies, or the menu that takes the place of this one. */
  readonly act: string | (() => void) | { readonly copies: string } | { readonly opens: readonly MenuAction[] };
}

export interface MenuListProps {
  readonly id?: string;
  readonly name: string;
  readonly actions: readonly MenuAction[];
  /** The item that gets the focus: the first, or the last. */
  readonly first?: 0 | -1;
  /** Closes the menu. The focus goes back first, so that a dialog which an action opens returns it to the control. */
  readonly onClose: () => void;
  readonly style?: CSSProperties;
}

/** The menu that is shown: the first, or the one that an action opens. */
interface Shown {
  /** The title of the action whose menu it is; null: the first menu. */
  readonly inside: string | null;
  /** The item that gets the focus: the first, the last, or the one with a title. */
  readonly focus: 0 | -1 | { readonly title: string };
}

/** An open menu: its items, the keys among them, and the menus that take its place. */
export function MenuList({ id, name, actions, first = 0, onClose, style }: MenuListProps) {
  const [shown, setShown] = useState<Shown>({ inside: null, focus: first });
  const list = useRef<HTMLDivElement>(null);
  const { status, copy } = useCopy();
  useLayoutEffect(() => {
    const menu = list.current;
    if (!menu) return;
    const place = () => {
      menu.classList.remove('action-menu-at-end');
      const { right } = menu.getBoundingClientRect();
      menu.classList.toggle('action-menu-at-end', right > document.documentElement.clientWidth);
    };
    place();
    menu.scrollIntoView({ block: 'nearest' }); // it may reach below the visible part of the page
    itemToFocus(menu, shown)?.focus();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [shown]);

  function onKeyDown(event: KeyboardEvent): void {
    const items = itemsIn(list.current);
    const current = items.indexOf(document.activeElement as HTMLElement);
    const { length } = items;
    const targets = { ArrowDown: current + 1, ArrowUp: current - 1 + length, Home: 0, End: length - 1 };
    const target = Object.entries(targets).find(([key]) => key === event.key)?.[1];
    const focused = items[current];
    if (target !== undefined) items[target % length]?.focus();
    else if (shown.inside !== null && (event.key === 'Escape' || event.key === 'ArrowLeft')) {
      setShown({ inside: null, focus: { title: shown.inside } });
    } else if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowRight' && focused?.hasAttribute('aria-haspopup')) focused.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function press({ title, act }: MenuAction): void {
    if (typeof act === 'string') onClose();
    else if (typeof act === 'function') {
      onClose();
      act();
    } else if ('copies' in act) void copy(act.copies);
    else setShown({ inside: title, focus: 0 });
  }
  return (
    <>
      <div
        ref={list}
        id={id}
        className="action-menu-list"
        style={style}
        role="menu"
        aria-label={shown.inside ?? name}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {menuAt(actions, shown.inside).map((action) => (
          <MenuItem key={action.title} action={action} copied={status} onPress={() => press(action)} />
        ))}
      </div>
      {/* Beside the menu, in which it would be no item. */}
      <span className="visually-hidden" role="status">
        {status?.says}
      </span>
    </>
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

function itemToFocus(list: HTMLElement, { focus }: Shown): HTMLElement | undefined {
  const items = itemsIn(list);
  return typeof focus === 'number' ? items.at(focus) : items.find(({ textContent }) => textContent === focus.title);
}
