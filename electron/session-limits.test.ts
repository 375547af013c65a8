import { expect, test } from 'vitest';
import { limitSession } from './session-limits.ts';
import { newFakeSession } from './testing/fake-session.ts';

const URL = 'http://127.0.0.1:8000';

function limited(permissions = ['clipboard-sanitized-write'], origin = URL) {
  const session = newFakeSession();
  limitSession(session, { origin: () => origin, permissions, owner: null });
  return session;
}

/** All permissions that Electron knows. */
const known = `ar automatic-fullscreen background-fetch background-sync captured-surface-control clipboard-read
  deprecated-sync-clipboard-read display-capture fileSystem fullscreen geolocation geolocation-approximate hand-tracking hid
  idle-detection keyboardLock local-fonts local-network local-network-access loopback-network media mediaKeySystem midi
  midiSysex nfc notifications openExternal payment-handler periodic-background-sync persistent-storage pointerLock
  screen-wake-lock sensors serial smart-card speaker-selection storage-access system-wake-lock top-level-storage-access usb vr
  web-app-installation web-printing window-management unknown`.split(/\s+/);

test('only a named permission is granted, only to pages of the origin', () => {
  const session = limited();
  expect(session.grants('clipboard-sanitized-write', `${URL}/`)).toBe(true);
  for (const url of ['https://evil.test/', 'http://127.0.0.1:8001/', `blob:${URL}/1`, 'null', ''])
    expect(session.grants('clipboard-sanitized-write', url), url).toBe(false);
  expect(known.filter((permission) => session.grants(permission, `${URL}/`))).toEqual([]);
});

test('without an address nothing is granted', () => {
  expect(limited(['media'], '').grants('media', '')).toBe(false);
});

test('no device is chosen, and none is granted that was chosen before', () => {
  const session = limited();
  expect(session.grantsDevices()).toBe(false);
  expect([session.choosesDevice('hid'), session.choosesDevice('usb')]).toEqual([[], []]);
  let port: string | null = null;
  let isPrevented = false;
  const event = {
    preventDefault: () => {
      isPrevented = true;
    },
  };
  session.emit('select-serial-port', event, [{ portId: 'a robot' }], {}, (chosen: string) => {
    port = chosen;
  });
  expect({ port, isPrevented }).toEqual({ port: '', isPrevented: true });
});

test('the screen is not shared, and no restricted folder is opened', () => {
  const session = limited();
  const answers: unknown[] = [];
  session.screen?.({} as never, (streams) => answers.push(streams));
  session.emit('file-system-access-restricted', { preventDefault: () => {} }, {}, (action: string) =>
    answers.push(action),
  );
  expect(answers).toEqual([null, 'deny']);
});

test('the spell checker, which would download dictionaries, is off', () => {
  expect(limited().spelling).toEqual({ isEnabled: false, languages: [] });
});
