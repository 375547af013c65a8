import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { AppFolderExists, DestinationMissing, DestinationReadOnly } from '../errors.ts';
import { createFolder } from './new-folder.ts';

let root: string;
const wave = () => join(root, 'wave');
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'new-folder-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const fill = (draft: string) => writeFile(join(draft, 'main.py'), 'wave');
const failure = (created: Promise<unknown>) =>
  created.then(
    () => expect.fail('it was created'),
    (error: unknown) => error as Error,
  );
const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code, syscall: 'open' });

test('a folder appears with its content, which is written beside its place under a hidden name', async () => {
  let draft = '';
  await createFolder(wave(), async (given) => {
    draft = given;
    await fill(given);
    expect(await readdir(root)).toEqual([basename(given)]);
  });
  expect(dirname(draft)).toBe(root);
  expect(basename(draft)).toMatch(/^\.wave\.[0-9a-f]{8}$/);
  expect(await readdir(root)).toEqual(['wave']);
  expect(await readFile(join(wave(), 'main.py'), 'utf8')).toBe('wave');
});

test('the folder in which it is created is not created itself', async () => {
  const missing = join(root, 'nowhere');
  expect(await failure(createFolder(join(missing, 'wave'), fill))).toEqual(
    new DestinationMissing(`${missing} does not exist, or may not be read. Choose an existing folder.`),
  );
  const file = join(root, 'file');
  await writeFile(file, 'mine');
  expect(await failure(createFolder(join(file, 'wave'), fill))).toEqual(
    new DestinationMissing(`${file} is not a folder. Choose an existing folder.`),
  );
  expect(await readdir(root)).toEqual(['file']);
});

describe('what has the path already stays as it is', () => {
  const kinds: readonly [string, () => Promise<unknown>][] = [
    ['a folder with a file', () => mkdir(wave()).then(() => writeFile(join(wave(), 'mine'), ''))],
    ['an empty folder', () => mkdir(wave())],
    ['a file', () => writeFile(wave(), 'mine')],
    ['a link that leads nowhere', () => symlink(join(root, 'nowhere'), wave())],
  ];
  const refusal = () => new AppFolderExists(wave());
  /** The path's own file, whichever has it. */
  const identity = async () => {
    const { ino, mode } = await lstat(wave());
    return { ino, mode };
  };

  test.each(kinds)('%s, and nothing is written', async (_, make) => {
    await make();
    const before = await identity();
    const error = await failure(createFolder(wave(), () => expect.fail('it was filled')));
    expect(error).toEqual(refusal());
    expect(error.message).toBe(`${wave()} exists already. Nothing was changed. Choose another name or another folder.`);
    expect(await identity()).toEqual(before);
    expect(await readdir(root)).toEqual(['wave']);
  });

  test.each(kinds)('%s, that another program makes meanwhile', async (_, make) => {
    let before: unknown;
    const created = createFolder(wave(), async (draft) => {
      await fill(draft);
      await make();
      before = await identity();
    });
    expect(await failure(created)).toEqual(refusal());
    expect(await identity()).toEqual(before);
    expect(await readdir(root)).toEqual(['wave']);
  });
});

describe('a folder that cannot be filled leaves nothing', () => {
  const readOnly = 'Nothing can be created in <root>: you may not write there. Choose another folder.';
  const full = 'The disk of <root> is full, so the app was not created.';
  test.each([
    ['ENOSPC', DiskFull, full],
    ['EDQUOT', DiskFull, full],
    ['EACCES', DestinationReadOnly, readOnly],
    ['EPERM', DestinationReadOnly, readOnly],
    ['EROFS', DestinationReadOnly, readOnly],
    ['ENAMETOOLONG', DestinationMissing, 'The path of <root> is too long for more folders.'],
  ])('%s is explained in words', async (code, kind, message) => {
    const created = createFolder(wave(), async (draft) => {
      await fill(draft);
      throw systemError(code);
    });
    const error = await failure(created);
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toBe(message.replace('<root>', root));
    expect(await readdir(root)).toEqual([]);
  });

  test('a full disk has the folder, the advice and the cause', async () => {
    const cause = systemError('ENOSPC');
    const error = await failure(createFolder(wave(), () => Promise.reject(cause)));
    expect(error).toMatchObject({ folder: root, action: expect.stringMatching(/^Free some space/) });
    expect(error.cause).toBe(cause);
  });

  test.each([
    ['of another kind', new Error('a mistake in the template')],
    ['of the system that says nothing of the place', systemError('EIO')],
    ['with the code of a right, but not of the system', Object.assign(new Error('no'), { code: 'EACCES' })],
  ])('an error %s is passed on', async (_, cause) => {
    const created = createFolder(wave(), async (draft) => {
      await fill(draft);
      throw cause;
    });
    expect(await failure(created)).toBe(cause);
    expect(await readdir(root)).toEqual([]);
  });

  test('a name that is too long', async () => {
    const error = await failure(createFolder(join(root, 'x'.repeat(255)), fill));
    expect(error).toEqual(new DestinationMissing(`The path of ${root} is too long for more folders.`));
  });
});

test('a folder that cannot be moved to its place leaves none there', async () => {
  const created = createFolder(wave(), (draft) => rename(draft, join(root, 'taken away')));
  expect(await failure(created)).toMatchObject({ code: 'ENOENT' });
  expect(await readdir(root)).toEqual(['taken away']);
});
