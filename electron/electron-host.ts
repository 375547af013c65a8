import type {
  App,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeImage,
  PowerMonitor,
  Session,
  WebContents,
} from 'electron';
import type { HostTray } from './tray/desktop-tray.ts';

/** The part of Electron that the desktop app needs, so that tests run without Electron's binary. */
export interface ElectronHost {
  readonly app: Pick<
    App,
    | 'on'
    | 'whenReady'
    | 'quit'
    | 'exit'
    | 'requestSingleInstanceLock'
    | 'setPath'
    | 'setAboutPanelOptions'
    | 'setBadgeCount'
    | 'isPackaged'
  >;
  readonly session: { readonly defaultSession: HostSession; fromPartition(partition: string): HostSession };
  readonly powerMonitor: Pick<PowerMonitor, 'on'>;
  /** Starts the program again once this process has ended. @param args its arguments, without the program */
  relaunch(args: string[]): void;
  /** Opens an address in the user's browser, without waiting; none that `isForBrowser` refuses. A failure is logged. */
  openOutside(url: string): void;
  /** Shows a folder or a file in the program that the system has for it. @throws Error with the system's reason */
  openPath(path: string): Promise<void>;
  openWindow(options: BrowserWindowConstructorOptions): HostWindow;
  isDark(): boolean;
  setMenu(template: MenuItemConstructorOptions[]): void;
  /** Makes the program's icon in the tray. @throws Error where the system has none */
  openTray(iconFile: string): HostTray;
  /** A dot for the program's icon in the task bar, which means that something needs attention. */
  attentionDot(): NativeImage;
  /** Shows a failure, once Electron is ready. Settles when the user has closed it. */
  showError(title: string, text: string): Promise<void>;
  /** @returns the path of the folder that the user chose; null: none */
  chooseFolder(title: string): Promise<string | null>;
  /** @returns the path of the file that the user chose, with one of the extensions; null: none */
  chooseFile(title: string, extensions: readonly string[]): Promise<string | null>;
  /** @returns the index of the pressed button */
  ask(options: MessageBoxOptions): Promise<number>;
}

export type HostSession = Pick<
  Session,
  | 'on'
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setSpellCheckerEnabled'
  | 'setSpellCheckerLanguages'
  | 'clearStorageData'
  | 'clearCache'
> & { readonly cookies: Pick<Session['cookies'], 'set'> };

export type HostContents = Pick<WebContents, 'on' | 'setWindowOpenHandler' | 'reload'>;

export type HostWindow = Pick<
  BrowserWindow,
  | 'on'
  | 'loadURL'
  | 'show'
  | 'focus'
  | 'isMinimized'
  | 'minimize'
  | 'restore'
  | 'setTitle'
  | 'setOverlayIcon'
  | 'close'
  | 'destroy'
> & { readonly webContents: HostContents };

/** Shows a window in front of all others, also when it was minimized or hidden. */
export function bringToFront(window: HostWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
