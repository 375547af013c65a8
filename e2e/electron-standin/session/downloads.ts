/** Downloads, which the stand-in announces and never keeps: a test would find them in the user's folder. */
import { EventEmitter } from 'node:events';
import { emitEvent } from '../events.ts';
import { contentsOfTarget } from '../window/open-contents.ts';
import type { BrowserContext } from './permissions.ts';

export async function announceDownloads(session: EventEmitter, { browser, id }: BrowserContext): Promise<void> {
  const context = id === undefined ? {} : { browserContextId: id };
  browser.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename }) => {
    const contents = contentsOfTarget(frameId); // a main frame has the id of its page
    if (contents?.session !== session) return;
    const cancel = () => browser.tell('Browser.cancelDownload', { guid, ...context });
    const event = emitEvent(session, 'will-download', {}, downloadItem(url, suggestedFilename, cancel), contents);
    if (event.defaultPrevented) cancel();
  });
  await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true, ...context });
}

function downloadItem(url: string, filename: string, cancel: () => void): EventEmitter {
  return Object.assign(new EventEmitter(), {
    getURL: () => url,
    getFilename: () => filename,
    getState: () => 'cancelled',
    setSavePath: () => {},
    setSaveDialogOptions: () => {},
    cancel,
  });
}
