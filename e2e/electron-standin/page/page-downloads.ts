import type { DevToolsSession } from '../chromium/devtools.ts';

/** The file that a page wants to save. */
export interface WantedDownload {
  readonly guid: string;
  readonly url: string;
  readonly file: string;
  readonly hasUserGesture: boolean;
}

/** What happens to a download, as soon as the app has decided. */
export interface DownloadDecision {
  /** Whether Chromium is told to stop it. */
  readonly isCancelled: boolean;
  readonly end: (state: 'completed' | 'cancelled') => void;
}

/** Asks about each file that the frames of a page want to save. */
export function decideDownloads(
  browser: DevToolsSession,
  page: DevToolsSession,
  { frames, decide }: { frames: ReadonlySet<string>; decide: (wanted: WantedDownload) => DownloadDecision },
): void {
  const ends = new Map<string, PromiseWithResolvers<'completed' | 'cancelled'>>();
  browser.on('Browser.downloadProgress', ({ guid, state }) => {
    if (state === 'inProgress') return;
    ends.get(guid)?.resolve(state === 'completed' ? 'completed' : 'cancelled');
    ends.delete(guid);
  });
  browser.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename: file }) => {
    if (!frames.has(frameId)) return;
    const ended = Promise.withResolvers<'completed' | 'cancelled'>();
    ends.set(guid, ended);
    const decided = isActivated(page).then((hasUserGesture) => decide({ guid, url, file, hasUserGesture }));
    decided
      .then(async ({ isCancelled, end }) => {
        if (isCancelled) browser.trySend('Browser.cancelDownload', { guid });
        const state = await ended.promise;
        end(isCancelled ? 'cancelled' : state);
      })
      .catch(() => {}); // the page or Chromium is gone, and the file with it
  });
}

/** Whether a person has pressed something on the page within the last seconds. */
async function isActivated(page: DevToolsSession): Promise<boolean> {
  const { result } = await page.send('Runtime.evaluate', { expression: 'navigator.userActivation.isActive' });
  return result.value === true;
}
