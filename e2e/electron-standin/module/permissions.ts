import type { Session as ElectronSession, WebContents } from 'electron';

type RequestHandler = NonNullable<Parameters<ElectronSession['setPermissionRequestHandler']>[0]>;
type CheckHandler = NonNullable<Parameters<ElectronSession['setPermissionCheckHandler']>[0]>;

export interface PermissionHandlers {
  request: RequestHandler | null;
  check: CheckHandler | null;
}

interface KnownPermission {
  readonly electron: string;
  readonly chromium: { readonly name: string; readonly sysex?: boolean };
  /** Distinguishes permissions that have one name in Electron. */
  readonly details?: { readonly mediaTypes: ('video' | 'audio')[]; readonly mediaType: 'video' | 'audio' };
}

/** Have the same name in Electron and in Chromium. */
const SAME_NAME = `background-sync captured-surface-control clipboard-read display-capture geolocation idle-detection
  local-fonts local-network-access midi nfc notifications payment-handler persistent-storage screen-wake-lock
  speaker-selection storage-access top-level-storage-access window-management`;

/** Electron's permissions that Chromium can set. */
export const KNOWN_PERMISSIONS: readonly KnownPermission[] = [
  ...SAME_NAME.split(/\s+/).map((name) => ({ electron: name, chromium: { name } })),
  { electron: 'clipboard-sanitized-write', chromium: { name: 'clipboard-write' } },
  { electron: 'keyboardLock', chromium: { name: 'keyboard-lock' } },
  { electron: 'media', chromium: { name: 'camera' }, details: { mediaTypes: ['video'], mediaType: 'video' } },
  { electron: 'media', chromium: { name: 'microphone' }, details: { mediaTypes: ['audio'], mediaType: 'audio' } },
  { electron: 'midiSysex', chromium: { name: 'midi', sysex: true } },
  { electron: 'pointerLock', chromium: { name: 'pointer-lock' } },
];

/** Asks the app's handlers. Without handlers everything is granted, as in Electron. */
export async function isGranted(
  { electron, details }: KnownPermission,
  origin: string,
  { request, check }: PermissionHandlers,
): Promise<boolean> {
  const permission = electron as Parameters<RequestHandler>[1];
  const fullDetails = { ...details, isMainFrame: true, requestingUrl: `${origin}/`, securityOrigin: origin };
  const contents = null as unknown as WebContents; // no page asks
  if (check && !check(contents, permission, origin, fullDetails as Parameters<CheckHandler>[3])) return false;
  return request === null || new Promise((resolve) => request(contents, permission, resolve, fullDetails));
}
