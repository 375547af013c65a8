import type { DevToolsSession } from '../chromium/devtools.ts';

/** The file that a page wants to save. */
export interface WantedDownload {
  readonly guid: string;
  readonly url: string;
  readonly file: string;
}

/** The fate of a download, as soon as the app has decided. */
export interface DownloadDecision {
  /** Whether Chromium is asked to stop it. */
  readonly isCancelled: boolean;
  readonly end: (state: 'completed' | 'cancelled') => void;
}

/** Asks about each file that the frames of a page want to save. */
export function decideDownloads(
  browser: DevToolsSession,
  { frames, decide }: { frames: ReadonlySet<string>; decide: (wanted: WantedDownload) => DownloadDecision },
): void {
  const underWay = new Map<string, (state: 'completed' | 'cancelled') => void>();
  browser.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename: file }) => {
    if (!frames.has(frameId)) return;
    const { isCancelled, end } = decide({ guid, url, file });
    underWay.set(guid, (state) => end(isCancelled ? 'cancelled' : state));
    if (isCancelled) browser.trySend('Browser.cancelDownload', { guid });
  });
  browser.on('Browser.downloadProgress', ({ guid, state }) => {
    if (state === 'inProgress') return;
    underWay.get(guid)?.(state === 'completed' ? 'completed' : 'cancelled');
    underWay.delete(guid);
  });
}
