/** The members of the module `electron`. Importing another one fails. */
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { Menu } from './menu.ts';
export { nativeImage } from './native-image.ts';
export { session } from './session.ts';
export { dialog, nativeTheme, powerMonitor, safeStorage, shell } from './system.ts';
export { Tray } from './tray.ts';
export { utilityProcess } from './utility-process.ts';
export { webContents } from './web-contents.ts';
