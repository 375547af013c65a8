import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useDashboardStore } from '../../store/use-dashboard.ts';
import { type CopiedAction, canCopy, useCopyItems } from './CopyMenu.tsx';
import { MenuList } from './MenuList.tsx';

interface CopyOnContext {
  readonly onContextMenu: ((event: MouseEvent<HTMLElement>) => void) | undefined;
  /** To be rendered beside the control. */
  readonly menu: ReactNode;
}

/**
 * Lets a control copy the action that it does. The menu opens as context menus do: by the secondary button of a mouse, by a
 * long touch, by the menu key or Shift+F10 while the control has the focus.
 */
export function useCopyOnContext(action: CopiedAction | undefined): CopyOnContext {
  const store = useDashboardStore();
  const [control, setControl] = useState<HTMLElement | null>(null);
  if (!action) return { onContextMenu: undefined, menu: null };
  return {
    onContextMenu: (event) => {
      if (!canCopy(store.getState(), action)) return; // the menu of the browser opens
      event.preventDefault();
      setControl(event.currentTarget);
    },
    menu: control && <ContextMenu control={control} action={action} onClose={() => setControl(null)} />,
  };
}

interface ContextMenuProps {
  readonly control: HTMLElement;
  readonly action: CopiedAction;
  readonly onClose: () => void;
}

function ContextMenu({ control, action, onClose }: ContextMenuProps) {
  const items = useCopyItems()([action]);
  useEffect(() => {
    // It is fixed, and the control moves away below it.
    const onScroll = ({ target }: Event) => target instanceof Node && target.contains(control) && onClose();
    const listening = new AbortController();
    window.addEventListener('scroll', onScroll, { capture: true, signal: listening.signal });
    window.addEventListener('resize', onClose, { signal: listening.signal });
    return () => listening.abort();
  }, [control, onClose]);
  function close(): void {
    (control.querySelector('input') ?? control).focus();
    onClose();
  }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the menu when the focus leaves it
    <span
      className="copy-on-context"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onClose();
      }}
    >
      <MenuList name={`Copy “${action.title}”`} actions={items} onClose={close} style={placeBeside(control)} />
    </span>,
    // Beside a dialog it is above it, and not cut by it.
    control.closest('[role="dialog"]')?.parentElement ?? document.body,
  );
}

const GAP_PX = 4;

/** Below the control, or above it in the lower half of the window; along the edge that is nearer to the window's middle. */
function placeBeside(control: HTMLElement) {
  const { left, right, top, bottom } = control.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  return {
    ...(left + right < innerWidth ? { left, right: 'auto' } : { left: 'auto', right: innerWidth - right }),
    ...(top + bottom < innerHeight
      ? { top: bottom + GAP_PX, bottom: 'auto' }
      : { top: 'auto', bottom: innerHeight - top + GAP_PX }),
  };
}
