import type { DownloadItem } from 'electron';
import { displayText } from '../daemon/shared/display-text.ts';
import { isPageOf } from './page-address.ts';

/** The part of a download that the rules need. */
export type Download = Pick<
  DownloadItem,
  'getURLChain' | 'getFilename' | 'getSavePath' | 'hasUserGesture' | 'setSaveDialogOptions' | 'once'
>;

/** The longest names in the title of a dialog, in characters. */
const NAME_LIMIT = 60;

/**
 * Decides about each file that the pages of a session want to save: the system's dialog asks where to, or the download is
 * cancelled. Nothing is saved unasked. While the user chooses, the next file is refused, and an app's page may ask only after a
 * click, so that it cannot flood the screen.
 * @param origin the pages' own, asked for each file; files come from there only
 * @param from the title of the app whose page it is, for the dialog; null: the dashboard
 */
export function askWhereToSave(origin: () => string, from: string | null) {
  let last: Download | null = null;
  return (event: { preventDefault(): void }, item: Download): void => {
    const isAsking = last !== null && last.getSavePath() === '';
    const isOwn = item.getURLChain().every((url) => isFileOf(origin(), url));
    // The dashboard saves what it has asked the daemon for, which may take longer than a click counts.
    const isWanted = from === null || item.hasUserGesture();
    if (!isOwn || !isWanted || isAsking) {
      event.preventDefault();
      return;
    }
    last = item;
    item.once('done', () => {
      if (last === item) last = null; // Electron has freed it
    });
    const file = displayText(item.getFilename(), NAME_LIMIT);
    const title = from === null ? `Save ${file}` : `Save ${file} from the page of ${displayText(from, NAME_LIMIT)}`;
    item.setSaveDialogOptions({ title, message: title }); // macOS shows the message, others the title
  };
}

/** Whether a file comes from an origin's server, or a page made it. */
function isFileOf(origin: string, url: string): boolean {
  if (url.startsWith('data:')) return true; // another site's page is in no frame
  return isPageOf(origin, url.startsWith('blob:') ? url.slice('blob:'.length) : url);
}
