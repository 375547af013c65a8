/** A reset moves all that an app has saved: no file of it may be overlooked, and no code taken for one. */
import { mkdir, readFile, readlink, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { besideCode, havePackage, saveBesideCode, setUp, write } from '../../testing/apps/app-with-resets.ts';
import { findContents } from './app-contents.ts';
import { CodeUnknown, SavedUnreadable, TooManyBesideCode } from './errors.ts';

const isLinux = process.platform === 'linux';

// Root reads every folder, except one whose path is too long for the system.
test.runIf(isLinux)('a folder that cannot be read is not taken for an empty one', async () => {
  const { root, folder, resets } = await setUp();
  const below = (from: string) => join(from, ...Array.from({ length: 12 }, () => 'x'.repeat(200)));
  const [elsewhere, deep] = [join(root, 'elsewhere'), below(join(folder, 'files'))];
  await mkdir(below(elsewhere), { recursive: true });
  await mkdir(deep, { recursive: true });
  await rename(elsewhere, join(deep, 'elsewhere'));
  onTestFinished(() => rename(join(deep, 'elsewhere'), elsewhere)); // before the folder is removed
  const refusal = /cannot be read \(ENAMETOOLONG\), .* Move it elsewhere, then try again\.$/;
  await expect(resets.status('dance')).rejects.toThrow(refusal);
  await expect(resets.reset('dance')).rejects.toThrow(refusal);
  expect(await readFile(join(folder, 'files', 'scores', 'best.json'), 'utf8')).toBe('12345');
});

test('a folder without the right to read it says whose right is missing', () => {
  expect(new SavedUnreadable('/data/apps/dance/files/private', 'EACCES').message).toBe(
    "/data/apps/dance/files/private cannot be read (EACCES), so what is in it is not known. Give the daemon's user the right to read it, then try again.",
  );
});

// Other systems take no name that is not UTF-8, and root reads everything else.
test.runIf(isLinux)(
  'a folder beside the code that cannot be read keeps a reset from leaving it there unseen',
  async () => {
    const { apps, resets } = await setUp();
    const counter = await saveBesideCode(apps, 'dance/counter.json', '7');
    await mkdir(Buffer.from(`${besideCode(apps, 'dance')}/caf\xe9`, 'latin1'));
    await expect(resets.reset('dance')).rejects.toThrow(SavedUnreadable);
    expect(await readFile(counter, 'utf8')).toBe('7');
  },
);

test('code is not moved where the list of a package is missing', async () => {
  const { apps, resets } = await setUp();
  await havePackage(apps, ['dance/main.py']);
  await saveBesideCode(apps, 'other-1.dist-info/METADATA', '');
  const code = await saveBesideCode(apps, 'other/main.py', 'code');
  await expect(resets.reset('dance')).rejects.toThrow(
    new CodeUnknown(besideCode(apps, 'other-1.dist-info/RECORD')).message,
  );
  expect(await readFile(code, 'utf8')).toBe('code');
});

test('more files beside the code than a record can name are not reset', async () => {
  const { folder, apps } = await setUp();
  for (const name of ['a', 'b', 'c']) await saveBesideCode(apps, `dance/${name}`, '1');
  const sought = { workDir: join(folder, 'files'), envDir: apps.environmentOf('dance'), variables: [] };
  await expect(findContents(sought, { besideCode: 2 })).rejects.toThrow(new TooManyBesideCode(2));
  expect(await findContents(sought, { besideCode: 3 })).toMatchObject({
    files: 4,
    besideCode: ['dance/a', 'dance/b', 'dance/c'],
  });
});

test('a count ends at a limit, and once nobody waits for it', async () => {
  const { folder, apps } = await setUp(); // with one file
  for (const name of ['a', 'b', 'c']) await write(join(folder, 'files', 'more', name), '1');
  const sought = { workDir: join(folder, 'files'), envDir: apps.environmentOf('dance'), variables: [] };
  const counted = async (limits: Parameters<typeof findContents>[1]) => {
    const { files, more } = await findContents(sought, limits);
    return { files, more };
  };
  expect(await counted({ counted: 3 })).toEqual({ files: 3, more: true });
  expect(await counted({ counted: 4 })).toEqual({ files: 4, more: undefined });
  expect(await counted({ signal: AbortSignal.abort() })).toEqual({ files: 0, more: undefined });
});

test('a link counts as one file, is moved itself, and what it leads to stays', async () => {
  const { root, folder, resets } = await setUp();
  const outside = join(root, 'outside');
  await write(join(outside, 'a'), '1');
  await write(join(outside, 'b'), '1');
  await rename(join(folder, 'files'), join(root, 'before'));
  await symlink(outside, join(folder, 'files'), 'junction');
  expect((await resets.status('dance')).contents).toMatchObject({
    ...{ files: 1, bytes: 0, largest: [{ path: 'files', bytes: 0, besideCode: false }] },
  });
  await resets.reset('dance');
  expect(await readFile(join(outside, 'a'), 'utf8')).toBe('1');
  await resets.undo('dance');
  expect(await readlink(join(folder, 'files'))).toContain('outside');
});
