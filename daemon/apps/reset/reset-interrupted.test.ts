/** Resets and undos that a daemon could not finish, and what came into the places of their files meanwhile. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  BEGIN,
  besideCode,
  everything,
  found,
  interrupt,
  leftIn,
  nothing,
  recordOf,
  saveBesideCode,
  setUp,
  startOn,
  update,
  write,
} from '../../testing/apps/app-with-resets.ts';
import { appNamed, haveInstalled } from '../../testing/apps/some-apps.ts';
import { PlaceTaken, ResetInterrupted, SavedSinceReset } from './errors.ts';

test('what a killed daemon left half way is put back by the next one: a reset is nothing then, an undo is whole', async () => {
  const { root, folder, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  await interrupt(folder);
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

test('a reset that moved nothing, and whose record could not be taken back, hides the one before from no undo', async () => {
  const { folder, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  const { path, record } = await recordOf(folder);
  const moving = { ...record.done, folder: 'reset-000000000000' };
  await writeFile(path, JSON.stringify({ done: record.done, moving }));
  expect((await resets.status('dance')).setAside?.at).toBe(BEGIN);
  expect((await resets.undo('dance')).reset).toBeNull();
  expect(await found(folder, daemon)).toEqual(everything);
  await writeFile(path, JSON.stringify({ done: null, moving: record.done }));
  expect((await resets.status('dance')).setAside).toBeNull();
  await expect(resets.undo('dance')).rejects.toThrow(/^There is no reset of "dance" to undo\./);
});

test('an app whose files cannot be put back is not started, and what is newer is not replaced unasked', async () => {
  const { root, folder, resets } = await setUp();
  await resets.reset('dance');
  await interrupt(folder);
  await write(join(folder, 'files', 'newer'), '1');
  const next = await startOn(root);
  expect(next.log).toEqual([expect.stringContaining('the reset of dance is not finished')]);
  expect(() => next.apps.launch('dance')).toThrow(ResetInterrupted);
  expect(next.apps.get('dance').reset).not.toBeNull();
  const refused = next.resets.undo('dance');
  await expect(refused).rejects.toThrow(SavedSinceReset);
  await expect(refused).rejects.toThrow('An undo of the reset deletes for good what was saved since: 1 file, 1 B.');
  await expect(next.resets.reset('dance')).rejects.toThrow(/^A reset of "dance" was interrupted/);
  expect(await found(folder, next)).toEqual({ ...nothing, files: { 'files/newer': '1' } });
  expect(() => next.apps.launch('dance')).toThrow(ResetInterrupted);
  expect((await next.resets.undo('dance', { replace: true })).reset).toBeNull();
  expect(() => next.apps.launch('dance')).not.toThrow();
  expect(await found(folder, next)).toEqual(everything);
});

test('once what is in the way is moved elsewhere, the undo succeeds without a question', async () => {
  const { root, folder, resets } = await setUp();
  await resets.reset('dance');
  await interrupt(folder);
  await write(join(folder, 'files', 'newer'), '1');
  const next = await startOn(root);
  await rm(join(folder, 'files'), { recursive: true });
  await next.resets.undo('dance');
  expect(await found(folder, next)).toEqual(everything);
  expect(await leftIn(folder)).toEqual([]);
});

test('variables that were set while a reset was interrupted are not replaced unasked', async () => {
  const { root, folder, variables, resets } = await setUp();
  await resets.reset('dance');
  await variables.set('dance', 'NEW', { value: '1', secret: false });
  await interrupt(folder);
  const next = await startOn(root);
  await expect(next.resets.undo('dance')).rejects.toThrow(/deletes for good what was saved since: 1 variable\.$/);
  expect(await next.variables.names('dance')).toEqual(['NEW']);
  await next.resets.undo('dance', { replace: true });
  expect(await found(folder, next)).toEqual(everything);
});

test('empty folders in the place of the working folder keep nothing back', async () => {
  const { root, folder, resets } = await setUp();
  await resets.reset('dance');
  await interrupt(folder);
  await mkdir(join(folder, 'files', 'empty'), { recursive: true });
  const next = await startOn(root);
  expect(next.log).toEqual([]);
  expect(await found(folder, next)).toEqual(everything);
});

test('files beside the code of a reset that was interrupted do not get lost with their version', async () => {
  const { root, folder, apps, resets } = await setUp();
  await saveBesideCode(apps, 'dance/counter.json', '7');
  await resets.reset('dance');
  await interrupt(folder);
  for (const version of ['2.0', '3.0']) await update(apps, version);
  await mkdir(besideCode(apps, ''), { recursive: true });
  const next = await startOn(root);
  expect(await readFile(besideCode(next.apps, 'dance/counter.json'), 'utf8')).toBe('7');
  expect(await found(folder, next)).toEqual(everything);
});

test('an app that was removed with an interrupted reset, and installed again, is launched after a reset', async () => {
  const { root, folder, resets } = await setUp();
  await resets.reset('dance');
  await interrupt(folder);
  await write(join(folder, 'files', 'newer'), '1');
  const next = await startOn(root);
  await next.apps.remove('dance');
  await haveInstalled(next.apps, appNamed('dance'));
  await write(join(folder, 'files', 'other'), '1');
  await next.resets.reset('dance');
  expect(() => next.apps.launch('dance')).not.toThrow();
});

test('something beside the code in the way of an undo is named, not replaced, and nothing has changed', async () => {
  const { folder, apps, resets, ...daemon } = await setUp();
  await saveBesideCode(apps, 'dance/counter.json', '7');
  await resets.reset('dance');
  await write(join(folder, 'files', 'newer'), '1');
  await mkdir(besideCode(apps, 'dance/counter.json'));
  await expect(resets.undo('dance', { replace: true })).rejects.toThrow(
    new PlaceTaken(besideCode(apps, 'dance/counter.json')),
  );
  expect(await found(folder, daemon)).toEqual({ ...nothing, files: { 'files/newer': '1' } });
  expect(() => apps.launch('dance')).not.toThrow();
  await rm(besideCode(apps, 'dance/counter.json'), { recursive: true });
  await resets.undo('dance', { replace: true });
  expect(await readFile(besideCode(apps, 'dance/counter.json'), 'utf8')).toBe('7');
});

test('an undo moves nothing through a link that leads out of the app', async () => {
  const { root, folder, apps, resets, ...daemon } = await setUp();
  await saveBesideCode(apps, 'dance/counter.json', '7');
  await resets.reset('dance');
  await rm(besideCode(apps, 'dance'), { recursive: true });
  await write(join(root, 'outside', 'mine.txt'), '1');
  await symlink(join(root, 'outside'), besideCode(apps, 'dance'), 'junction');
  await expect(resets.undo('dance')).rejects.toThrow(new PlaceTaken(besideCode(apps, 'dance')));
  expect(await found(folder, daemon)).toEqual(nothing);
  await rm(besideCode(apps, 'dance'));
  await resets.undo('dance');
  expect(await readFile(besideCode(apps, 'dance/counter.json'), 'utf8')).toBe('7');
  await expect(readFile(join(root, 'outside', 'counter.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});
