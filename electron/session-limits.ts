import { askWhereToSave } from './downloads.ts';
import type { HostSession } from './electron-host.ts';
import { isPageOf } from './page-address.ts';

/** The pages of a session, and the little that they may do. */
export interface SessionLimits {
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
