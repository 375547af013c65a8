import type { DownloadItem } from 'electron';
import { displayText } from '../daemon/shared/display-text.ts';
import { isPageOf } from './addresses.ts';
import type { HostSession } from './electron-host.ts';

/** The pages of a session, and the little that they may do. */
interface SessionLimits {
  /** Their origin; asked each time, since an app's may change. */
  readonly origin: () => string;
  /** The granted permissions. Electron's default grants all. */
  readonly permissions: readonly string[];
  /** The app whose pages these are, for the dialogs that ask the user; null: the dashboard's pages. */
  readonly owner: string | null;
}

/** Once for each session: grants the named permissions to its origin, and denies everything else that Electron can ask. */
export function limitSession(session: HostSession, { origin, permissions, owner }: SessionLimits): void {
  const may = (permission: string, url: string | undefined) =>
    permissions.includes(permission) && isPageOf(origin(), url ?? '');
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(may(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => may(permission, requestingOrigin));
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  denyDevices(session);
  // On Linux and Windows the checker downloads its dictionaries from a server of Chromium's makers.
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerLanguages([]);
  session.on('will-download', askWhereToSave(origin, owner));
}

function denyDevices(session: HostSession): void {
  session.setDevicePermissionHandler(() => false);
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('file-system-access-restricted', (event, _details, answer) => {
    event.preventDefault();
    answer('deny');
  });
}

/** The part of a download that the rules need. */
type Download = Pick<
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
function askWhereToSave(origin: () => string, from: string | null) {
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
