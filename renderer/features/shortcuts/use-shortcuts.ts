import { useEffect } from 'react';
import { isInWindow } from '../../navigation/in-window.ts';
import { mayAct, type Shortcut, shortcutOf } from './shortcuts.ts';

/** In the window, its menu has these: Ctrl+O opens the system's folder dialog there. */
const OF_THE_MENU: readonly Shortcut['does'][] = ['install', 'stop-app'];

/** @param act returns whether it did something; otherwise the browser gets the keys. Keep it stable. */
export function useShortcuts(act: (shortcut: Shortcut) => boolean): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const shortcut = shortcutOf(event);
      if (!shortcut || (isInWindow && OF_THE_MENU.includes(shortcut.does)) || !mayAct(event)) return;
      if (act(shortcut)) event.preventDefault();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [act]);
}
