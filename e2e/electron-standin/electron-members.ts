/** What an app can import from `electron`. What is missing is missing on purpose: then the import itself fails. */
export { app } from './app/app.ts';
export { dialog } from './desktop/dialog.ts';
export { Menu, MenuItem } from './desktop/menu.ts';
export { safeStorage } from './desktop/safe-storage.ts';
export { shell } from './desktop/shell.ts';
export { nativeTheme, powerMonitor } from './desktop/surroundings.ts';
export { standIn } from './record.ts';
export { session } from './session/session.ts';
export { BrowserWindow } from './window/browser-window.ts';
export { webContents } from './window/web-contents.ts';
