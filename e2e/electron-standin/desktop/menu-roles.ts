/** What Electron knows of a menu item by its role alone. */
import type { MenuItemConstructorOptions } from 'electron';
import { app } from '../app/app.ts';
import { BrowserWindow } from '../window/browser-window.ts';

type Template = MenuItemConstructorOptions;

interface Role {
  readonly label: string;
  readonly accelerator?: string;
  /** What a click does, as far as it shows outside the page. */
  readonly act?: (window: BrowserWindow | null) => void;
  readonly submenu?: readonly Template[];
}

const separator: Template = { type: 'separator' };
const items = (...roles: string[]): Template[] =>
  roles.map((role) => (role === '' ? separator : ({ role } as Template)));

const quit = { label: 'Quit', accelerator: 'CommandOrControl+Q', act: () => app.quit() };
const ROLES: Record<string, Role> = {
  about: { label: 'About', act: () => (app as unknown as { showAboutPanel(): void }).showAboutPanel() },
  close: { label: 'Close Window', accelerator: 'CommandOrControl+W', act: (window) => window?.close() },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C' },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X' },
  delete: { label: 'Delete' },
  forcereload: {
    label: 'Force Reload',
    accelerator: 'Shift+CmdOrCtrl+R',
    act: (window) => window?.webContents.reloadIgnoringCache(),
  },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M', act: (window) => window?.minimize() },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V' },
  quit,
  redo: { label: 'Redo', accelerator: 'Control+Y' },
  reload: { label: 'Reload', accelerator: 'CmdOrCtrl+R', act: (window) => window?.reload() },
  resetzoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0' },
  selectall: { label: 'Select All', accelerator: 'CommandOrControl+A' },
  toggledevtools: { label: 'Toggle Developer Tools', accelerator: 'Ctrl+Shift+I' },
  togglefullscreen: {
    label: 'Toggle Full Screen',
    accelerator: 'F11',
    act: (window) => window?.setFullScreen(!window.isFullScreen()),
  },
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z' },
  zoomin: { label: 'Zoom In', accelerator: 'CommandOrControl+Plus' },
  zoomout: { label: 'Zoom Out', accelerator: 'CommandOrControl+-' },
  filemenu: { label: 'File', submenu: items('quit') },
  editmenu: { label: 'Edit', submenu: items('undo', 'redo', '', 'cut', 'copy', 'paste', 'delete', '', 'selectAll') },
  viewmenu: {
    label: 'View',
    submenu: items(
      ...['reload', 'forceReload', 'toggleDevTools', ''],
      ...['resetZoom', 'zoomIn', 'zoomOut', '', 'togglefullscreen'],
    ),
  },
  windowmenu: { label: 'Window', submenu: items('minimize', 'close') },
  help: { label: 'Help', submenu: [] },
};

/** Roles are written in any case. */
export function roleOf(name: string | undefined): Role | null {
  return ROLES[name?.toLowerCase() ?? ''] ?? null;
}

export function clickRole(name: string | undefined): boolean {
  const act = roleOf(name)?.act;
  act?.(BrowserWindow.getFocusedWindow());
  return act !== undefined;
}
