import type { MenuItemConstructorOptions } from 'electron';
import { pages } from '../daemon/contract/dashboard-pages.ts';

interface MenuActions {
  /** Shows a page of the dashboard, `#/apps`. */
  readonly show: (hash: string) => void;
  /** Asks for a folder, and shows the dialog that installs it. */
  readonly installFolder: () => void;
  /** Asks for a model file, and shows the page that checks it. */
  readonly chooseModelFile: () => void;
  readonly stopApp: () => void;
  readonly openInBrowser: () => void;
  readonly showDataFolder: () => void;
}

export function menuTemplate(
  { isMac, isPackaged }: { isMac: boolean; isPackaged: boolean },
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  return [
    ...(isMac ? [{ role: 'appMenu' } satisfies MenuItemConstructorOptions] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New App…', accelerator: 'CmdOrCtrl+N', click: () => actions.show('#/apps?tab=create&new=') },
        { label: 'Install from a Folder…', accelerator: 'CmdOrCtrl+O', click: actions.installFolder },
        { label: 'Install an App…', click: () => actions.show('#/apps?install=') },
        { label: 'Use a Model File…', click: actions.chooseModelFile },
        { label: 'Stop the Running App', accelerator: 'CmdOrCtrl+.', click: actions.stopApp },
        separator,
        { label: 'Open in Browser', accelerator: 'CmdOrCtrl+B', click: actions.openInBrowser },
        { label: 'Show the Data Folder', click: actions.showDataFolder },
        separator,
        isMac ? { role: 'close' } : { role: 'quit', accelerator: 'CmdOrCtrl+Q' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Go',
      submenu: pages.map(({ page, label }, index) => ({
        label,
        accelerator: `CmdOrCtrl+${index + 1}`,
        // Shown only: the page acts on it, unless a dialog is open or text is typed.
        registerAccelerator: false,
        click: () => actions.show(page === 'home' ? '#/' : `#/${page}`),
      })),
    },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
        ...(isPackaged ? [] : [separator, { role: 'toggleDevTools' } satisfies MenuItemConstructorOptions]),
      ],
    },
    { role: 'windowMenu' },
    ...(isMac
      ? []
      : [
          {
            label: '&Help',
            submenu: [{ label: 'Help and Problems', click: () => actions.show('#/help') }, { role: 'about' }],
          } satisfies MenuItemConstructorOptions,
        ]),
  ];
}
