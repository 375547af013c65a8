import type { Release } from './update-way.ts';

/** The progress of a download, in bytes. */
export interface DownloadProgress {
  readonly transferred: number;
  readonly total: number;
  readonly bytesPerSecond: number;
}

/** Looks for newer versions of the program, downloads them and puts them in its place. */
export interface ProgramUpdater {
  /** @returns the newest version; null: this program is that. @throws Error of the updater or the network, or without a SHA-512 */
  look(): Promise<Release | null>;
  /** Downloads the version that `look` found, and verifies its checksum. @throws Error; nothing of it is kept then */
  download(onProgress: (progress: DownloadProgress) => void, signal: AbortSignal): Promise<void>;
  /** Replaces the program and quits it; the newer one starts. Settles only if that fails. @throws Error */
  install(): Promise<never>;
}

/** The part of electron-updater that the program needs. */
export interface AutoUpdater<Token extends CancellationToken = CancellationToken> {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  forceDevUpdateConfig: boolean;
  logger: object | null;
  requestHeaders: object | null;
  on(event: 'download-progress', listener: (progress: DownloadProgress) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  checkForUpdates(): Promise<{ readonly isUpdateAvailable: boolean; readonly updateInfo: Release } | null>;
  downloadUpdate(cancellation: Token): Promise<readonly string[]>;
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
}

interface CancellationToken {
  cancel(): void;
}

/**
 * electron-updater, which does nothing unasked.
 * @param newToken cancels one download
 * @param checkPlace of the downloaded file, before it is put in the program's place. @throws Error: then it is not
 */
export function programUpdater<Token extends CancellationToken>(
  updater: AutoUpdater<Token>,
  newToken: () => Token,
  checkPlace: (file: string) => Promise<void> = async () => {},
): ProgramUpdater {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  // Else a copy on Linux that was unpacked asks nobody, and takes itself for the newest. Of a package nothing else changes.
  updater.forceDevUpdateConfig = true;
  updater.logger = null; // failures are told here
  // Else each look would tell the server a lasting number of this copy.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  let downloaded: readonly string[] = [];
  let onProgress = (_progress: DownloadProgress): void => {};
  let onError = (_error: Error): void => {};
  updater.on('download-progress', (progress) => onProgress(progress));
  // Those of its promises come here, too. An install has no promise.
  updater.on('error', (error) => onError(error));
  return {
    look: async () => {
      const found = await updater.checkForUpdates();
      if (!found?.isUpdateAvailable) return null;
      if (found.updateInfo.files.every(({ sha512 }) => sha512)) return found.updateInfo;
      throw Object.assign(new Error('A file of the newer version has no SHA-512.'), {
        code: 'ERR_UPDATER_NO_CHECKSUM',
      });
    },
    download: async (listener, signal) => {
      signal.throwIfAborted();
      const token = newToken();
      const cancel = () => token.cancel();
      onProgress = listener;
      signal.addEventListener('abort', cancel, { once: true });
      try {
        downloaded = await updater.downloadUpdate(token);
      } finally {
        signal.removeEventListener('abort', cancel);
        onProgress = () => {};
      }
    },
    install: async () => {
      for (const file of downloaded) await checkPlace(file);
      return new Promise<never>((_resolve, reject) => {
        onError = reject;
        updater.quitAndInstall(true, true);
      });
    },
  };
}
