/** Electron's permissions that Chromium lets us set, and how Chromium calls them. */

interface KnownPermission {
  readonly electron: string;
  readonly chromium: { readonly name: string; readonly sysex?: boolean };
  /** What Electron tells the handler besides: a camera and a microphone are both `media`. */
  readonly details?: object;
}

const SAME_NAME = [
  'background-sync',
  'captured-surface-control',
  'clipboard-read',
  'display-capture',
  'geolocation',
  'idle-detection',
  'local-fonts',
  'local-network-access',
  'midi',
  'nfc',
  'notifications',
  'payment-handler',
  'persistent-storage',
  'screen-wake-lock',
  'speaker-selection',
  'storage-access',
  'top-level-storage-access',
  'window-management',
];

export const KNOWN_PERMISSIONS: readonly KnownPermission[] = [
  ...SAME_NAME.map((name) => ({ electron: name, chromium: { name } })),
  { electron: 'clipboard-sanitized-write', chromium: { name: 'clipboard-write' } },
  { electron: 'keyboardLock', chromium: { name: 'keyboard-lock' } },
  { electron: 'media', chromium: { name: 'camera' }, details: { mediaTypes: ['video'], mediaType: 'video' } },
  { electron: 'media', chromium: { name: 'microphone' }, details: { mediaTypes: ['audio'], mediaType: 'audio' } },
  { electron: 'midiSysex', chromium: { name: 'midi', sysex: true } },
  { electron: 'pointerLock', chromium: { name: 'pointer-lock' } },
];
