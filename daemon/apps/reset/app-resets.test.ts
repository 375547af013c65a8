/** Resets of apps and their undo; the other files of tests here have updates, interruptions and contents. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import {
  BEGIN,
  DAY_MS,
  everything,
  found,
  leftIn,
  NEXT_DAY,
  nothing,
  recordOf,
  setUp,
  startOn,
  write,
} from '../../testing/apps/app-with-resets.ts';
import { appNamed, haveInstalled } from '../../testing/apps/some-apps.ts';
import { AppIsBeingChanged, AppIsRunning } from '../installed/errors.ts';
import { AppIsBeingReset, SavedSinceReset } from './errors.ts';

const running: AppSlotState = {
  ...{ state: 'running', holder: { kind: 'managed-app', appName: 'dance', runId: 'r' }, since: BEGIN },
  ...{ sdk: 'connected', settingsPage: 'none', detail: null, until: null, alive: [] },
};

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

test('an undo that would remove something newer is refused, and says what; asked to replace it, it does', async () => {
  const { folder, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  await write(join(folder, 'files', 'new.txt'), '123');
  await daemon.variables.set('dance', 'MOOD', { value: 'sad', secret: false });
  const refused = resets.undo('dance');
  await expect(refused).rejects.toThrow(SavedSinceReset);
  await expect(refused).rejects.toThrow(
    'An undo of the reset deletes for good what was saved since: 1 file, 3 B, and 1 variable.',
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

test('two resets at once are one: the other is refused until it is done', async () => {
  const { folder, resets, ...daemon } = await setUp();
  const [first, second] = await Promise.allSettled([resets.reset('dance'), resets.reset('dance')]);
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toEqual({ status: 'rejected', reason: new AppIsBeingChanged('dance') });
  await resets.undo('dance');
  expect(await found(folder, daemon)).toEqual(everything);
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

test('an undo that goes on at the end of the day is finished, and nothing is removed under it', async () => {
  const { folder, clock, resets, variables } = await setUp();
  resets.start();
  await resets.reset('dance');
  await clock.advance(DAY_MS - 60_000);
  const held = Promise.withResolvers<void>();
  const holding = variables.hold('dance', () => held.promise);
  const undone = resets.undo('dance'); // waits for the variables
  await clock.advance(60 * 60_000);
  held.resolve();
  await holding;
  expect((await undone).reset).toBeNull();
  expect(await found(folder, { variables })).toEqual(everything);
  resets.close();
});

test('a clock that is set back, or begins in the past, removes no reset, and keeps none for ever', async () => {
  const { root, folder, clock, resets } = await setUp();
  await clock.advance(30 * DAY_MS);
  await resets.reset('dance');
  const next = await startOn(root); // its clock begins 30 days before
  next.resets.start();
  await next.clock.advance(DAY_MS - 60 * 60_000);
  expect(next.apps.get('dance').reset?.at).toBe('2026-12-21T11:00:00.000Z');
  await next.clock.until(() => expect(next.apps.get('dance').reset).toBeNull(), 60 * 60_000);
  expect(await leftIn(folder)).toEqual([]);
  next.resets.close();
});

test('a clock that goes right after it began in the past finds the reset at its time', async () => {
  const { root, clock, resets } = await setUp();
  await clock.advance(30 * DAY_MS);
  await resets.reset('dance');
  let aheadMs = -30 * DAY_MS;
  const turned = { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
  const next = await startOn(root, turned);
  next.resets.start();
  await clock.advance(60 * 60_000);
  aheadMs = 0;
  await clock.advance(60 * 60_000);
  expect(next.apps.get('dance').reset?.at).toBe('2026-12-21T11:00:00.000Z');
  await clock.until(() => expect(next.apps.get('dance').reset).toBeNull(), 60 * 60_000);
  next.resets.close();
});

test('a reset whose files somebody else has removed cannot be undone, and nothing newer is removed for it', async () => {
  const { folder, apps, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  await rm(join(folder, (await recordOf(folder)).record.done?.folder ?? '-'), { recursive: true });
  await write(join(folder, 'files', 'newer'), '1');
  await expect(resets.undo('dance', { replace: true })).rejects.toThrow(/^There is no reset of "dance" to undo\./);
  expect(await found(folder, daemon)).toEqual({ ...nothing, files: { 'files/newer': '1' } });
  expect(apps.get('dance').reset).toBeNull();
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
