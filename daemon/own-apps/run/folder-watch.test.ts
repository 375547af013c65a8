import { mkdir, mkdtemp, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { watchFolder } from './folder-watch.ts';

async function watched() {
  const folder = join(await realpath(await mkdtemp(join(tmpdir(), 'folder-watch-'))), 'my äpp');
  await mkdir(join(folder, 'pkg'), { recursive: true });
  await writeFile(join(folder, 'pkg', 'main.py'), 'a');
  await writeFile(join(folder, 'pyproject.toml'), 'a');
  const changes: string[] = [];
  const errors: Error[] = [];
  let gone = 0;
  const watch = await watchFolder(systemClock, folder, {
    onChange: (paths) => changes.push(...paths),
    onGone: () => {
      gone += 1;
    },
    onError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await watch.close();
    await rm(join(folder, '..'), { recursive: true });
    expect(errors).toEqual([]);
  });
  /** Waits until all that was written before is seen; the files of a new folder, which is read first, are named. */
  const seen = async (...inNewFolder: string[]) => {
    await writeFile(join(folder, 'mark.py'), `${Math.random()}`);
    const expected = expect.arrayContaining(['mark.py', ...inNewFolder]);
    await vi.waitFor(() => expect(changes).toEqual(expected));
    return changes.splice(0).filter((path) => path !== 'mark.py');
  };
  return { folder, main: join(folder, 'pkg', 'main.py'), seen, gone: () => gone };
}

test('every way of saving a file is one change; a touch and the same content are none', async () => {
  const { main, seen } = await watched();
  await writeFile(main, 'b');
  expect(await seen()).toEqual(['pkg/main.py']);
  await writeFile(main, 'b');
  await utimes(main, new Date(), new Date());
  expect(await seen()).toEqual([]);
  await writeFile(`${main}.new`, 'c');
  await rename(`${main}.new`, main);
  expect(await seen()).toEqual(['pkg/main.py']);
  await rename(main, `${main}~`);
  await writeFile(main, 'd');
  await rm(`${main}~`);
  expect(await seen()).toContain('pkg/main.py');
  await writeFile(main, 'e');
  expect(await seen()).toEqual(['pkg/main.py']);
});

test('files of new folders are watched, those of other tools are not', async () => {
  const { folder, seen } = await watched();
  for (const path of ['pkg/new', 'pkg/__pycache__', '.git', 'node_modules', 'pkg/static']) {
    await mkdir(join(folder, path));
    await writeFile(join(folder, path, path === 'pkg/static' ? 'x.js' : 'x.py'), '1');
  }
  expect(await seen('pkg/new/x.py')).toEqual(['pkg/new/x.py']);
  await rename(join(folder, 'pkg', 'new'), join(folder, 'pkg', 'newer'));
  expect((await seen('pkg/newer/x.py')).sort()).toEqual(['pkg/new/x.py', 'pkg/newer/x.py']);
  await rm(join(folder, 'pkg', 'newer'), { recursive: true });
  expect(await seen()).toEqual(['pkg/newer/x.py']);
});

test('a folder that is moved away is gone', async () => {
  const { folder, gone } = await watched();
  await rename(folder, `${folder} moved`);
  await vi.waitFor(() => expect(gone()).toBeGreaterThan(0));
});
