import { useLayoutEffect } from 'react';
import { pages } from '../../../daemon/contract/dashboard-pages.ts';
import { isInWindow } from '../../navigation/in-window.ts';
import type { Page } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

export type Shortcut =
  | { readonly does: 'open-page'; readonly page: Page }
  | { readonly does: 'open-palette' | 'install' | 'stop-app' | 'search' | 'list-shortcuts' };

/** The keys pressed, as far as shortcuts need them. */
export type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The shortcut of a combination of keys; null if it is none. */
export function shortcutOf(keys: Keys): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = keys;
  if (altKey || (ctrlKey && metaKey)) return null;
  if (!ctrlKey && !metaKey) {
    // Shift is needed for them on some keyboards.
    if (key === '/') return { does: 'search' };
    return key === '?' ? { does: 'list-shortcuts' } : null;
  }
  if (shiftKey) return null;
  // The place of the digit: some keyboards need Shift for the digit itself.
  const digit = /^[1-9]$/.test(key) ? key : /^Digit([1-9])$/.exec(keys.code)?.[1];
  const target = pages[Number(digit) - 1];
  if (target) return { does: 'open-page', page: target.page };
  if (isLetter(keys, 'k')) return { does: 'open-palette' };
  if (isLetter(keys, 'o')) return { does: 'install' };
  return key === '.' ? { does: 'stop-app' } : null;
}

/** Keyboards of other scripts have the letter at its usual place. */
function isLetter({ key, code }: Keys, letter: string): boolean {
  return key.toLowerCase() === letter || (!/^[a-z]$/i.test(key) && code === `Key${letter.toUpperCase()}`);
}

const FIELDS =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"]';
/** Inputs without text. */
const PLAIN_INPUTS = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Whether a shortcut may act now: not while text is typed or composed, in dialogs and menus, or for a held key. */
export function mayAct(event: KeyboardEvent): boolean {
  // 229: composed by an input method, in browsers that report it late.
  if (event.defaultPrevented || event.repeat || event.isComposing || event.keyCode === 229) return false;
  const element = event.composedPath()[0];
  if (!(element instanceof Element)) return true;
  if (element.matches(FIELDS) || (element instanceof HTMLElement && element.isContentEditable)) return false;
  if (element instanceof HTMLInputElement && !PLAIN_INPUTS.includes(element.type)) return false;
  return element.closest(OVERLAYS) === null && document.querySelector('[aria-modal="true"]') === null;
}

/** In the window, its menu has these: Ctrl+O opens the system's folder dialog there. */
const OF_THE_MENU: readonly Shortcut['does'][] = ['install', 'stop-app'];

/** @param act returns whether it did something; otherwise the browser gets the keys. Keep it stable. */
export function useShortcuts(act: (shortcut: Shortcut) => boolean): void {
  const singleKeys = useDashboard((s) => s.singleKeys);
  // Before the page is painted: keys that are pressed as soon as it is seen must act.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!singleKeys && !event.ctrlKey && !event.metaKey) return;
      const shortcut = shortcutOf(event);
      if (!shortcut || (isInWindow && OF_THE_MENU.includes(shortcut.does)) || !mayAct(event)) return;
      if (act(shortcut)) event.preventDefault();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [act, singleKeys]);
}
