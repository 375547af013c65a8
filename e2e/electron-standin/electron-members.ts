/** What an app can import from `electron`. What is missing is missing on purpose: then the import itself fails. */
export { app } from './app/app.ts';
export { dialog } from './desktop/dialog.ts';
export { Menu, MenuItem } from './desktop/menu.ts';
export { nativeImage } from './desktop/native-image.ts';
export { Notification } from './desktop/notification.ts';
export { shell } from './desktop/shell.ts';
export {
  clipboard,
  crashReporter,
  globalShortcut,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
} from './desktop/surroundings.ts';
export { Tray } from './desktop/tray.ts';
export { standIn } from './record.ts';
export { session } from './session/session.ts';
export { BrowserWindow } from './window/browser-window.ts';
export { webContents } from './window/web-contents.ts';
