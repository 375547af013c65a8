import { pages } from '../../../daemon/contract/dashboard-pages.ts';
import { isInWindow } from '../../navigation/in-window.ts';

const isMac = /^Mac|iPhone|iPad/.test(navigator.platform);

/** A combination with Ctrl, or with Command on a Mac: `Ctrl K`, `⌘K`. */
export const withCtrl = (key: string): string => (isMac ? `⌘${key}` : `Ctrl ${key}`);

/** The value of `aria-keyshortcuts`. */
export const ariaWithCtrl = (key: string): string => `Control+${key} Meta+${key}`;

/** All shortcuts, for the list of them. */
export const shortcutList: readonly { readonly keys: string; readonly does: string }[] = [
  { keys: withCtrl('K'), does: 'Search or run: pages, apps, models, endpoints, actions' },
  ...pages.map(({ label }, index) => ({ keys: withCtrl(String(index + 1)), does: `Open ${label}` })),
  { keys: '1 – 9', does: 'On Robot, play one of its moves' },
  { keys: '/', does: 'Search on this page' },
  ...(isInWindow ? [{ keys: withCtrl('N'), does: 'Create an app' }] : []), // browsers keep these keys
  { keys: withCtrl('O'), does: 'Install an app from a folder' },
  { keys: withCtrl('.'), does: 'Stop the running app' },
  { keys: 'Shift F10', does: 'Copy the focused button’s command or request' },
  { keys: '?', does: 'List the shortcuts' },
];

export const whenText = 'They do nothing while you type in a field or a dialog is open.';

/** Under the switch for keys without Ctrl. */
export const singleKeysHelp = 'For 1 to 9, / and ?; switch off for speech input.';

export const paletteText = `${withCtrl('K')} finds pages, apps, models and actions by a few letters, from everywhere.`;
