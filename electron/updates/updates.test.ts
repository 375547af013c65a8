import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DesktopUpdate } from '../../daemon/contract/desktop.ts';
import { manualClock } from '../../daemon/testing/manual-clock.ts';
import type { DownloadProgress, ProgramUpdater } from './program-updater.ts';
import type { Release, UpdateWay } from './update-way.ts';
import { Updates } from './updates.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

const DAY_MS = 24 * 60 * 60_000;
const release: Release = { version: '1.2.0', files: [] };
const available = { state: 'available', version: '1.2.0', by: 'program', command: null } as const;

/** An updater whose steps the test settles. */
class FakeUpdater implements ProgramUpdater {
  looks = 0;
  found: () => Promise<Release | null> = async () => release;
  downloads = 0;
  readonly #downloaded = Promise.withResolvers<void>();
  installed = 0;
  progress = (_progress: DownloadProgress): void => {};

  look = () => {
    this.looks += 1;
    return this.found();
  };
  download = (onProgress: (progress: DownloadProgress) => void, signal: AbortSignal) => {
    this.downloads += 1;
    this.progress = onProgress;
    signal.addEventListener('abort', () => this.#downloaded.reject(new Error('cancelled')));
    return this.#downloaded.promise;
  };
  install = () => {
    this.installed += 1;
    return this.installing;
  };
  installing = new Promise<never>(() => {});
  readonly isDownloaded = () => this.#downloaded.resolve();
  readonly failsToDownload = (error: Error) => this.#downloaded.reject(error);
}

async function begun({ way = { by: 'program' } as UpdateWay, isOn = true } = {}) {
  const clock = manualClock();
  const updater = new FakeUpdater();
  const replaced: (() => Promise<never>)[] = [];
  const updates = new Updates({
    way: async () => way,
    updater: async () => updater,
    replaceProgram: (install) => void replaced.push(install),
    clock,
  });
  const states: DesktopUpdate['state'][] = [];
  updates.onChange = () => states.push(updates.update.state);
  await updates.begin(isOn);
  return { updates, updater, clock, replaced, states };
}

/** The same, with a newer version found. */
async function found() {
  const parts = await begun();
  await parts.clock.advance(60_000);
  expect(parts.updates.update).toEqual(available);
  return parts;
}

test('it looks a minute after the start and then once a day, and downloads nothing', async () => {
  const { updates, updater, clock, states } = await begun();
  await clock.advance(59_999);
  expect(updater.looks).toBe(0);
  await clock.advance(1);
  expect(updater.looks).toBe(1);
  expect(states).toEqual(['none', 'looking', 'available']);
  await clock.advance(2 * DAY_MS);
  expect(updater.looks).toBe(3);
  expect(updates.update).toEqual(available);
  expect(updater.downloads).toBe(0);
});

test('where there is no newer version, it says when it looked', async () => {
  const { updates, updater, clock } = await begun();
  updater.found = async () => null;
  updates.step('look');
  await clock.advance(0);
  expect(updates.update).toEqual({ state: 'none', lookedAt: clock.now().toISOString() });
});

test('a copy that gets no updates says why, and looks for none, whatever is chosen', async () => {
  const { updates, updater, clock } = await begun({ way: { by: 'off', reason: 'It has no address.' } });
  updates.switch(true);
  await clock.advance(2 * DAY_MS);
  expect(updates.update).toEqual({ state: 'off', reason: 'It has no address.' });
  expect(updater.looks).toBe(0);
  expect(() => updates.step('look')).toThrow('Updates are switched off, or this copy gets none.');
});

test('while it is switched off it looks for none', async () => {
  const { updates, updater, clock } = await begun({ isOn: false });
  await clock.advance(2 * DAY_MS);
  expect(updates.update).toEqual({ state: 'off', reason: null });
  expect(updater.looks).toBe(0);
  updates.switch(true);
  await clock.advance(0);
  expect(updater.looks).toBe(1);
  updates.switch(false);
  await clock.advance(2 * DAY_MS);
  expect(updater.looks).toBe(1);
  expect(clock.pending).toBe(0);
});

test('a package of the system is updated by a command, which is shown; nothing is downloaded here', async () => {
  const { updates, clock } = await begun({ way: { by: 'command', command: ({ version }) => `install ${version}` } });
  updates.step('look');
  await clock.advance(0);
  expect(updates.update).toEqual({ ...available, by: 'command', command: 'install 1.2.0' });
  expect(() => updates.step('download')).toThrow('There is no newer version that can be downloaded here.');
});

test.each<[UpdateWay]>([[{ by: 'hand' }], [{ by: 'command', command: () => null }]])(
  'its user does it where neither the program nor a command can: %j',
  async (way) => {
    const { updates, clock } = await begun({ way });
    updates.step('look');
    await clock.advance(0);
    expect(updates.update).toEqual({ ...available, by: 'hand' });
  },
);

test('a download shows its progress in percent, is ready once verified, and is not installed unasked', async () => {
  const { updates, updater, clock, states, replaced } = await found();
  updates.step('download');
  await clock.advance(0);
  const before = states.length;
  updater.progress({ transferred: 10, total: 1_000, bytesPerSecond: 5.4 });
  for (const transferred of [11, 12, 19]) updater.progress({ transferred, total: 1_000, bytesPerSecond: 5 });
  expect(states.length).toBe(before + 1);
  expect(updates.update).toEqual({
    state: 'downloading',
    version: '1.2.0',
    transfer: { doneBytes: 10, totalBytes: 1_000, bytesPerSecond: 5, stalled: false },
  });
  updater.isDownloaded();
  await clock.advance(2 * DAY_MS);
  expect(updates.update).toEqual({ state: 'ready', version: '1.2.0' });
  expect([updater.looks, replaced.length]).toEqual([1, 0]);
});

test('a download that is cancelled leaves what was found', async () => {
  const { updates, updater, clock } = await found();
  updates.step('download');
  await clock.advance(0);
  updates.step('cancel');
  updater.progress({ transferred: 500, total: 1_000, bytesPerSecond: 5 });
  await clock.advance(0);
  expect(updates.update).toEqual(available);
  updates.step('cancel'); // nothing to cancel
  expect(updates.update).toEqual(available);
});

test('switched off during a download it cancels that, and says that it is off', async () => {
  const { updates, clock } = await found();
  updates.step('download');
  await clock.advance(0);
  updates.switch(false);
  await clock.advance(0);
  expect(updates.update).toEqual({ state: 'off', reason: null });
});

test.each([
  [
    'whose checksum differs',
    Object.assign(new Error('sha512 checksum mismatch, expected A, got B'), { code: 'ERR_CHECKSUM_MISMATCH' }),
    'What was downloaded is not the published file: its checksum differs. It was thrown away.',
  ],
  ['that is cut off', new Error('net::ERR_CONTENT_LENGTH_MISMATCH'), 'The download was cut off.'],
])('a download %s is told in a sentence, is not installed, and can be tried again', async (_what, error, reason) => {
  const { updates, updater, clock, replaced } = await found();
  updates.step('download');
  await clock.advance(0);
  updater.failsToDownload(error);
  await clock.advance(0);
  expect(updates.update).toMatchObject({ state: 'failed', reason });
  expect(() => updates.step('install')).toThrow('No newer version is downloaded.');
  expect(replaced).toEqual([]);
  updates.step('look');
  await clock.advance(0);
  expect(updates.update).toEqual(available);
});

test('a look that fails is told in a sentence', async () => {
  const { updates, updater, clock } = await begun();
  updater.found = () => Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED'));
  updates.step('look');
  await clock.advance(0);
  expect(updates.update).toEqual({
    state: 'failed',
    reason: 'The server of the newer versions does not answer.',
    action: 'Check the connection, then try again.',
  });
});

test('a look that never ends is given up after a minute, and so is a download of which nothing comes any more', async () => {
  const { updates, updater, clock, replaced } = await begun();
  updater.found = () => new Promise(() => {});
  updates.step('look');
  await clock.advance(59_999);
  expect(updates.update).toEqual({ state: 'looking' });
  await clock.advance(1);
  expect(updates.update).toMatchObject({
    ...{ state: 'failed', reason: 'The server of the newer versions does not answer.' },
  });
  updater.found = async () => release;
  updates.step('look');
  await clock.advance(0);
  updates.step('download');
  await clock.advance(0);
  updater.progress({ transferred: 10, total: 1_000, bytesPerSecond: 5 });
  await clock.advance(59_999);
  updater.progress({ transferred: 11, total: 1_000, bytesPerSecond: 5 });
  await clock.advance(59_999);
  expect(updates.update).toMatchObject({ state: 'downloading' });
  await clock.advance(1);
  expect(updates.update).toMatchObject({ state: 'failed', reason: 'The download was cut off.' });
  expect(() => updates.step('install')).toThrow('No newer version is downloaded.');
  expect(replaced).toEqual([]);
});

test('a download of which nothing comes at all is cut off after a minute', async () => {
  const { updates, clock } = await found();
  updates.step('download');
  await clock.advance(59_999);
  expect(updates.update).toMatchObject({ state: 'downloading' });
  await clock.advance(1);
  expect(updates.update).toMatchObject({ state: 'failed', reason: 'The download was cut off.' });
});

test('a look that was switched off, and ends after another one, does not disturb the download', async () => {
  const { updates, updater, clock } = await begun();
  const late = Promise.withResolvers<Release | null>();
  updater.found = () => late.promise;
  updates.step('look');
  await clock.advance(0);
  updates.switch(false);
  updater.found = async () => release;
  updates.switch(true);
  await clock.advance(0);
  updates.step('download');
  await clock.advance(0);
  late.resolve(null);
  await clock.advance(0);
  expect(updates.update).toMatchObject({ state: 'downloading', version: '1.2.0' });
  updater.isDownloaded();
  await clock.advance(0);
  expect(updates.update).toEqual({ state: 'ready', version: '1.2.0' });
});

test('an install is handed over to the end of the program, which calls it when the robot is folded', async () => {
  const { updates, updater, clock, replaced } = await found();
  updates.step('download');
  updater.isDownloaded();
  await clock.advance(0);
  updates.step('install');
  expect(updates.update).toEqual({ state: 'installing', version: '1.2.0' });
  expect([replaced.length, updater.installed]).toEqual([1, 0]);
  void replaced[0]?.();
  await clock.advance(0);
  expect(updater.installed).toBe(1);
});

test('an install that fails rejects with a sentence', async () => {
  const { updates, updater, clock, replaced } = await found();
  updates.step('download');
  updater.isDownloaded();
  await clock.advance(0);
  updates.step('install');
  updater.installing = Promise.reject(Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' }));
  await expect(replaced[0]?.()).rejects.toThrow('This user may not write where the program is.');
});
