/** The undo of a reset after the app was updated: it brings back the right files, and damages no version. */
import { mkdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  BEGIN,
  besideCode,
  everything,
  found,
  havePackage,
  leftIn,
  nothing,
  saveBesideCode,
  setUp,
  update,
} from '../../testing/apps/app-with-resets.ts';
import { OtherVersionSinceReset, SavedSinceReset } from './errors.ts';

const byUser = { at: BEGIN, automatic: false, reason: 'You asked.' };
const textOf = (path: string) => readFile(path, 'utf8');

/** The app, which had a counter beside the code of version 1.0 when it was reset. */
async function resetWithCounter() {
  const daemon = await setUp();
  const counter = await saveBesideCode(daemon.apps, 'dance/counter.json', '7');
  await daemon.resets.reset('dance');
  return { ...daemon, counter };
}

test('files beside the code are removed too, and brought back to the version that saved them, while it is kept', async () => {
  const { apps, resets } = await setUp();
  const counter = await saveBesideCode(apps, 'dance/counter.json', '7');
  expect((await resets.status('dance')).contents.largest).toContainEqual({
    ...{ path: 'dance/counter.json', bytes: 1, besideCode: true },
  });
  await resets.reset('dance');
  await expect(textOf(counter)).rejects.toMatchObject({ code: 'ENOENT' });
  await update(apps, '2.0');
  const refused = resets.undo('dance');
  await expect(refused).rejects.toThrow(OtherVersionSinceReset);
  await expect(refused).rejects.toThrow(/had version 1\.0 when it was reset/);
  await apps.rollBack('dance', byUser);
  await resets.undo('dance');
  expect(await textOf(counter)).toBe('7');
});

test.skipIf(process.platform === 'win32')(
  'a path of Windows that an app has made a name of is brought back',
  async () => {
    const { folder, apps, resets, ...daemon } = await setUp();
    const mood = await saveBesideCode(apps, 'dance/..\\mood.json', '7');
    await resets.reset('dance');
    await expect(textOf(mood)).rejects.toMatchObject({ code: 'ENOENT' });
    await resets.undo('dance');
    expect(await textOf(mood)).toBe('7');
    expect(await found(folder, daemon)).toEqual(everything);
  },
);

test('a version that was installed again since is said to be another installation', async () => {
  const { apps, resets } = await resetWithCounter();
  await update(apps, '1.0');
  await expect(resets.undo('dance')).rejects.toThrow(/^"dance" was installed again since its reset/);
});

test('an update does not keep an undo from the working folder and the variables', async () => {
  const { folder, apps, resets, ...daemon } = await setUp();
  await resets.reset('dance');
  await update(apps, '2.0');
  const newer = await saveBesideCode(apps, 'dance/counter.json', '1');
  await resets.undo('dance');
  expect(await found(folder, daemon)).toEqual(everything);
  expect(await textOf(newer)).toBe('1'); // it came with another version, not since the reset of this one
});

test('once their version is gone, files beside the code come to the live one, as an update carries them', async () => {
  const { folder, apps, resets, ...daemon } = await resetWithCounter();
  for (const version of ['2.0', '3.0']) await update(apps, version);
  await havePackage(apps, ['dance/main.py']);
  await resets.undo('dance');
  expect(await textOf(besideCode(apps, 'dance/counter.json'))).toBe('7');
  expect(await textOf(besideCode(apps, 'dance/main.py'))).toBe('of the package');
  expect(await found(folder, daemon)).toEqual(everything);
  expect(await leftIn(folder)).toEqual([]);
});

test('a file of the newer version is never replaced: that is said, and the file left out once that is asked for', async () => {
  const { folder, apps, resets, ...daemon } = await resetWithCounter();
  for (const version of ['2.0', '3.0']) await update(apps, version);
  await havePackage(apps, ['dance/main.py', 'dance/counter.json']);
  const refused = resets.undo('dance');
  await expect(refused).rejects.toThrow(SavedSinceReset);
  await expect(refused).rejects.toThrow(
    'Its version now has files of its own where "dance" had saved dance/counter.json beside its code. The undo would leave that out for good.',
  );
  expect(await found(folder, daemon)).toEqual(nothing);
  expect((await resets.status('dance')).setAside).toMatchObject({ files: 2 });
  await resets.undo('dance', { replace: true });
  expect(await textOf(besideCode(apps, 'dance/counter.json'))).toBe('of the package');
  expect(await found(folder, daemon)).toEqual(everything);
});

test('a folder of the newer version is not replaced by a file', async () => {
  const { apps, resets } = await resetWithCounter();
  for (const version of ['2.0', '3.0']) await update(apps, version);
  await havePackage(apps, ['dance/counter.json/parts.py']);
  await expect(resets.undo('dance')).rejects.toThrow(/^Its version now has files of its own/);
  await resets.undo('dance', { replace: true });
  expect(await textOf(besideCode(apps, 'dance/counter.json/parts.py'))).toBe('of the package');
});

test('in the newer version only what is in the way is replaced, once that is asked for', async () => {
  const { apps, resets } = await resetWithCounter();
  for (const version of ['2.0', '3.0']) await update(apps, version);
  await havePackage(apps, ['dance/main.py']);
  const [newer, other] = [
    await saveBesideCode(apps, 'dance/counter.json', '100'),
    await saveBesideCode(apps, 'dance/other.json', '1'),
  ];
  await expect(resets.undo('dance')).rejects.toThrow(
    /^An undo of the reset deletes for good what was saved since: 1 file, 3 B\.$/,
  );
  expect(await textOf(newer)).toBe('100');
  await resets.undo('dance', { replace: true });
  expect([await textOf(newer), await textOf(other)]).toEqual(['7', '1']);
});

test('an earlier version that was returned to keeps what it has beside its code', async () => {
  const { folder, apps, resets, ...daemon } = await setUp();
  const earlier = await saveBesideCode(apps, 'dance/counter.json', '3');
  await update(apps, '2.0');
  await mkdir(besideCode(apps, ''), { recursive: true });
  await resets.reset('dance');
  await apps.rollBack('dance', byUser);
  await resets.undo('dance');
  expect(await textOf(earlier)).toBe('3');
  expect(await found(folder, daemon)).toEqual(everything);
});
