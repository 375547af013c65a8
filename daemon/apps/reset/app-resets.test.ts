/** Resets of apps, on a real disk and with a real key file; the clock is moved. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { keyFileSecretStore } from '../../shared/files/key-file-secret-store.ts';
import { createLogger } from '../../shared/logger.ts';
import { appNamed, appsIn, haveInstalled } from '../../testing/apps/some-apps.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { AppIsRunning } from '../installed/errors.ts';
import { AppVariables } from '../run/app-variables.ts';
import { AppResets } from './app-resets.ts';
import { AppIsBeingReset, OtherVersionSinceReset, ResetInterrupted, SavedSinceReset } from './errors.ts';

const DAY_MS = 24 * 60 * 60_000;
const BEGIN = '2026-11-21T11:00:00.000Z';
const NEXT_DAY = '2026-11-22T11:00:00.000Z';
const running: AppSlotState = {
  ...{ state: 'running', holder: { kind: 'managed-app', appName: 'dance', runId: 'r' }, since: BEGIN },
  ...{ sdk: 'connected', settingsPage: 'none', detail: null, until: null, alive: [] },
};

/** A daemon's part for resets, over a data folder; `clock` is its time. */
async function startOn(root: string, clock = manualClock()) {
  const log: string[] = [];
  const logger = createLogger('info', (line) => log.push(line));
  const apps = await appsIn(root);
  const secrets = keyFileSecretStore(join(root, 'secret-key'));
  const variables = new AppVariables({ folderOf: (name) => apps.folderOf(name), secrets, log: logger });
  const slot: { state: AppSlotState } = { state: { state: 'free', lastRun: null } };
  const appLocks = new KeyedMutex();
  const workDir = join(root, 'work');
  const resets = new AppResets({ apps, slot, appLocks, variables, workDir, clock, log: logger });
  await resets.load();
  return { apps, variables, slot, resets, clock, log };
}

/** The app `dance`, which has saved a file, with a variable and a secret. */
async function setUp() {
  const root = await mkdtemp(join(tmpdir(), 'resets-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'apps', 'dance');
  await haveInstalled(await appsIn(root), appNamed('dance'));
  const daemon = await startOn(root);
  await daemon.variables.set('dance', 'MOOD', { value: 'merry', secret: false });
  await daemon.variables.set('dance', 'API_KEY', { value: 'quiet', secret: true });
  await write(join(folder, 'files', 'scores', 'best.json'), '12345');
  return { root, folder, ...daemon };
}
type Daemon = Awaited<ReturnType<typeof startOn>>;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** All that the app has: its files with their texts, and the environment of its runs. */
async function found(folder: string, { variables }: Pick<Daemon, 'variables'>) {
  const below = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = below.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')]),
  );
  return { files: Object.fromEntries(texts), ...(await variables.environment('dance')) };
}
const everything = {
  files: { 'files/scores/best.json': '12345' },
  environment: { MOOD: 'merry', API_KEY: 'quiet' },
  secrets: ['quiet'],
};
const nothing = { files: {}, environment: {}, secrets: [] };
/** The folders and the record of resets in the folder of the app. */
const leftIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('reset'));

test('a reset removes what an app has saved and its variables, and an undo brings exactly that back', async () => {
  const { folder, apps, resets, ...daemon } = await setUp();
  expect((await resets.reset('dance')).reset).toEqual({ at: BEGIN, until: NEXT_DAY });
  expect(await found(folder, daemon)).toEqual(nothing);
  expect((await resets.undo('dance')).reset).toBeNull();
  expect(await found(folder, daemon)).toEqual(everything);
  expect(await leftIn(folder)).toEqual([]);
  expect(() => apps.launch('dance')).not.toThrow();
});

test('what a reset would remove is listed, the largest files first, variables by their names alone', async () => {
  const { folder, resets } = await setUp();
  await write(join(folder, 'files', 'log.txt'), 'x'.repeat(100));
  const contents = {
    ...{ files: 2, bytes: 105, variables: ['API_KEY', 'MOOD'] },
    largest: [
      { path: 'log.txt', bytes: 100, besideCode: false },
      { path: 'scores/best.json', bytes: 5, besideCode: false },
    ],
  };
  expect(await resets.status('dance')).toEqual({ contents, setAside: null });
  await resets.reset('dance');
  expect(await resets.status('dance')).toEqual({
    contents: { files: 0, bytes: 0, largest: [], variables: [] },
    setAside: { at: BEGIN, until: NEXT_DAY, files: 2, bytes: 105, variables: ['API_KEY', 'MOOD'] },
  });
  expect(JSON.stringify(await resets.status('dance'))).not.toMatch(/quiet|merry/);
});

test('of many files the twenty largest are listed, and all are counted', async () => {
  const { folder, resets } = await setUp();
  for (let size = 10; size < 260; size++) await write(join(folder, 'files', `${size}`), 'x'.repeat(size));
  const { contents } = await resets.status('dance');
  expect(contents.files).toBe(251);
  expect(contents.largest.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 20 }, (_, index) => 259 - index));
});

test('files beside the code are removed too, and brought back to the version that saved them only', async () => {
  const { apps, resets } = await setUp();
  const counter = join(apps.environmentOf('dance'), 'lib', 'python3.12', 'site-packages', 'dance', 'counter.json');
  await write(counter, '7');
  expect((await resets.status('dance')).contents.largest).toContainEqual({
    ...{ path: 'dance/counter.json', bytes: 1, besideCode: true },
  });
  await resets.reset('dance');
  await expect(readFile(counter)).rejects.toMatchObject({ code: 'ENOENT' });
  await haveInstalled(apps, appNamed('dance', { version: '2.0', installedAt: '2026-01-02T00:00:00Z' }));
  const refused = resets.undo('dance');
  await expect(refused).rejects.toThrow(OtherVersionSinceReset);
  await expect(refused).rejects.toThrow(/had version 1\.0 when it was reset/);
  await apps.rollBack('dance', { at: BEGIN, automatic: false, reason: 'You asked.' });
  await resets.undo('dance');
  expect(await readFile(counter, 'utf8')).toBe('7');
});

test('an update does not keep an undo from the working folder and the variables', async () => {
  const { folder, apps, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  await haveInstalled(apps, appNamed('dance', { version: '2.0', installedAt: '2026-01-02T00:00:00Z' }));
  await resets.undo('dance');
  expect(await found(folder, daemon)).toEqual(everything);
});

test('an undo that would remove something newer is refused, and says what; asked to replace it, it does', async () => {
  const { folder, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  await write(join(folder, 'files', 'new.txt'), '123');
  await daemon.variables.set('dance', 'MOOD', { value: 'sad', secret: false });
  const refused = resets.undo('dance');
  await expect(refused).rejects.toThrow(SavedSinceReset);
  await expect(refused).rejects.toThrow(
    'Since its reset, "dance" has 1 file, 3 B, and 1 variable again. The undo would remove that for good.',
  );
  expect((await found(folder, daemon)).files).toEqual({ 'files/new.txt': '123' });
  await resets.undo('dance', { replace: true });
  expect(await found(folder, daemon)).toEqual(everything);
  expect(await leftIn(folder)).toEqual([]);
});

test('a run that saved nothing keeps no undo back', async () => {
  const { folder, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  await mkdir(join(folder, 'files', 'empty'), { recursive: true });
  await resets.undo('dance');
  expect(await found(folder, daemon)).toEqual(everything);
});

test('an app that runs, or that has nothing, is not reset', async () => {
  const { folder, slot, resets, ...daemon } = await setUp();
  slot.state = running;
  await expect(resets.reset('dance')).rejects.toThrow(AppIsRunning);
  await expect(resets.undo('dance')).rejects.toThrow(AppIsRunning);
  slot.state = { state: 'free', lastRun: null };
  await expect(resets.undo('dance')).rejects.toThrow(/^There is no reset of "dance" to undo\./);
  expect(await found(folder, daemon)).toEqual(everything);
  await resets.reset('dance');
  await expect(resets.reset('dance')).rejects.toThrow('"dance" has saved no files, and has no variables.');
  await resets.undo('dance');
  expect(await found(folder, daemon)).toEqual(everything);
});

test('an app cannot be launched in the middle of its reset, and a variable that is set meanwhile is not lost', async () => {
  const { apps, variables, resets } = await setUp();
  const refusals: unknown[] = [];
  const hold = vi.spyOn(variables, 'hold');
  hold.mockImplementationOnce(async (name, work) => {
    try {
      apps.launch(name);
    } catch (error) {
      refusals.push(error);
    }
    hold.mockRestore();
    return variables.hold(name, work);
  });
  const [, late] = await Promise.all([
    resets.reset('dance'),
    variables.set('dance', 'LATE', { value: '1', secret: false }),
  ]);
  expect(refusals).toEqual([expect.any(AppIsBeingReset)]);
  expect(() => apps.launch('dance')).not.toThrow();
  // It came before the reset or after it, and was lost in neither case.
  const { setAside } = await resets.status('dance');
  expect([...(setAside?.variables ?? []), ...(await variables.names('dance'))]).toContain('LATE');
  expect(late.map(({ name }) => name)).toContain('LATE');
});

test('of an app one reset is kept: the next one frees the space of the one before', async () => {
  const { folder, root, clock, resets } = await setUp();
  await resets.reset('dance');
  const [first] = (await leftIn(folder)).filter((name) => name !== 'reset.json');
  await clock.advance(60_000);
  await write(join(folder, 'files', 'new.txt'), '123');
  expect((await resets.reset('dance')).reset?.at).toBe('2026-11-21T11:01:00.000Z');
  expect(await leftIn(folder)).toHaveLength(2); // a folder and the record
  expect(await leftIn(folder)).not.toContain(first);
  await vi.waitFor(async () => expect(await readdir(join(root, 'work'))).toEqual([]));
  await resets.undo('dance');
  expect(await readFile(join(folder, 'files', 'new.txt'), 'utf8')).toBe('123');
});

test('a reset is removed once it is a day old, by the clock and by the next start', async () => {
  const { root, folder, apps, clock, resets } = await setUp();
  resets.start();
  await resets.reset('dance');
  await clock.advance(DAY_MS - 60_000);
  expect(apps.get('dance').reset).not.toBeNull();
  await clock.advance(20 * 60_000);
  await vi.waitFor(() => expect(apps.get('dance').reset).toBeNull());
  await vi.waitFor(async () => expect(await leftIn(folder)).toEqual([]));
  resets.close();

  await write(join(folder, 'files', 'new.txt'), '123');
  await resets.reset('dance');
  expect((await startOn(root, clock)).apps.get('dance').reset).not.toBeNull();
  await clock.advance(DAY_MS);
  const next = await startOn(root, clock);
  expect(next.apps.get('dance').reset).toBeNull();
  expect(await leftIn(folder)).toEqual([]);
});

/** The record and the folder of the reset of `dance`. */
async function recordOf(folder: string) {
  const path = join(folder, 'reset.json');
  const record = JSON.parse(await readFile(path, 'utf8')) as { done: { folder: string } | null; moving: unknown };
  return { path, record };
}

test('what a killed daemon left half way is put back by the next one: a reset is nothing then, an undo is whole', async () => {
  const { root, folder, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  const { path, record } = await recordOf(folder);
  await writeFile(path, JSON.stringify({ done: null, moving: record.done }));
  const next = await startOn(root);
  expect(await found(folder, daemon)).toEqual(everything);
  expect(next.apps.get('dance').reset).toBeNull();
  expect(await leftIn(folder)).toEqual([]);
});

test('a second reset that was killed leaves the first one as it was', async () => {
  const { root, folder, clock, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  const first = (await recordOf(folder)).record.done;
  await clock.advance(60_000);
  await write(join(folder, 'files', 'new.txt'), '123');
  await resets.reset('dance');
  const { path, record } = await recordOf(folder);
  await mkdir(join(folder, first?.folder ?? ''), { recursive: true });
  await writeFile(path, JSON.stringify({ done: first, moving: record.done }));
  const next = await startOn(root);
  expect((await found(folder, daemon)).files).toEqual({ 'files/new.txt': '123' });
  expect(next.apps.get('dance').reset?.at).toBe(BEGIN);
});

test('an app whose files cannot be put back is not started, until the undo succeeds', async () => {
  const { root, folder, resets } = await setUp();
  await resets.reset('dance');
  const { path, record } = await recordOf(folder);
  await writeFile(path, JSON.stringify({ done: null, moving: record.done }));
  await write(join(folder, 'files', 'in-the-way'), '1');
  const next = await startOn(root);
  expect(next.log).toEqual([expect.stringContaining('the reset of dance is not finished')]);
  expect(() => next.apps.launch('dance')).toThrow(ResetInterrupted);
  expect(next.apps.get('dance').reset).not.toBeNull();
  await expect(next.resets.undo('dance')).rejects.toThrow(/ENOTEMPTY|EEXIST|EPERM/);
  expect(() => next.apps.launch('dance')).toThrow(ResetInterrupted);
  await rm(join(folder, 'files'), { recursive: true });
  expect((await next.resets.undo('dance')).reset).toBeNull();
  expect(() => next.apps.launch('dance')).not.toThrow();
  expect(await found(folder, next)).toEqual(everything);
});

test.each(['damaged', 'lost'])('a reset whose record is %s is kept under another name', async (what) => {
  const { root, folder, resets } = await setUp();
  await resets.reset('dance');
  const { path, record } = await recordOf(folder);
  await (what === 'lost' ? rm(path) : writeFile(path, '{"done":'));
  const next = await startOn(root);
  expect(next.apps.get('dance').reset).toBeNull();
  const [kept = ''] = (await leftIn(folder)).filter((name) => name.startsWith(record.done?.folder ?? '-'));
  expect(kept).toMatch(/^reset-[0-9a-f]{12}\.damaged-\d{8}T\d{9}$/);
  expect(await readFile(join(folder, kept, 'files', 'scores', 'best.json'), 'utf8')).toBe('12345');
});

test('a removed app takes its reset along: another of that name has none', async () => {
  const { root, apps, resets } = await setUp();
  await resets.reset('dance');
  await apps.remove('dance');
  await haveInstalled(apps, appNamed('dance'));
  expect(apps.get('dance').reset).toBeNull();
  await expect(resets.undo('dance')).rejects.toThrow(/^There is no reset/);
  expect((await startOn(root)).apps.get('dance').reset).toBeNull();
});
