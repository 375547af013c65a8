/** The members that reach the system in Electron. Here they reach nothing. */
import { EventEmitter } from 'node:events';
import type { MessageBoxOptions, OpenDialogOptions } from 'electron';
import { knowsOnly } from './events.ts';

/** Nobody sees a dialog: its text is written to stderr, and it is cancelled. */
export const dialog = {
  async showMessageBox({ message, detail = '', cancelId = 0, checkboxChecked = false }: MessageBoxOptions) {
    console.error(`${message}\n${detail}`);
    return { response: cancelId, checkboxChecked };
  },
  async showOpenDialog({ title = '' }: OpenDialogOptions) {
    console.error(title);
    return { canceled: true, filePaths: [] as string[] };
  },
};

/** A test replaces these to see the calls. */
export const shell = {
  async openExternal(_url: string): Promise<void> {},
  /** @returns an empty text: it worked */
  async openPath(_path: string): Promise<string> {
    return '';
  },
};

/** Of a system without a keychain. */
export const safeStorage = { isEncryptionAvailable: () => false };

export const nativeTheme = { shouldUseDarkColors: false };

export const powerMonitor = new EventEmitter();
const neverEmitted = ['shutdown'];
knowsOnly(powerMonitor, neverEmitted);
