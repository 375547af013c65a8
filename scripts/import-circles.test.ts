import { mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from './environment/project.ts';
import { findCircles } from './import-circles.ts';

test('no folders and no files of the project import each other', async () => {
  const folders = ['daemon', 'electron', 'renderer', 'scripts', 'bench', 'e2e'];
  const all = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(projectDir, folder), { recursive: true })).map(
        (path) => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    ),
  );
  const sources = all.flat().filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.(test|spec)\.tsx?$/.test(path));
  expect(sources.length).toBeGreaterThan(500);
  expect(await findCircles(projectDir, sources)).toEqual([]);
});

test.each([
  [
    'two folders',
    {
      'a/x.ts': "import '../b/y.ts';",
      'b/y.ts': '',
      'b/z.ts': "import { v } from '../a/w.ts';\nv();",
      'a/w.ts': 'export const v = () => {};',
    },
  ],
  [
    'a circle of types',
    {
      'a/x.ts': "import type { Y } from '../b/y.ts';\nexport type X = Y;",
      'b/y.ts': "export type { W } from '../a/w.ts';\nexport type Y = 1;",
      'a/w.ts': 'export type W = 1;',
    },
  ],
  [
    'a folder and the folder inside it',
    { 'a/x.ts': "export * from './b/y.ts';", 'a/b/y.ts': "import '../w.ts';", 'a/w.ts': '' },
  ],
  [
    'three folders',
    {
      'a/x.ts': "import '../b/y.ts';",
      'b/y.ts': "import '../c/z.tsx';",
      'c/z.tsx': "import '../a/w.ts';\nexport const Z = () => <b />;",
      'a/w.ts': '',
    },
  ],
  ['two files', { 'a/x.ts': "import './y.ts';", 'a/y.ts': "import './x.ts';" }],
  ['a file that is loaded late', { 'a/x.ts': "await import('./y.ts');", 'a/y.ts': "import type { X } from './x.ts';" }],
])('planted: %s', async (_name, files) => {
  expect(await circlesIn(files)).toHaveLength(1);
});

test('imports in one direction are no circle', async () => {
  const files = {
    'a/x.ts': "import '../b/y.ts';\nimport '../c/z.ts';\nimport 'zod';",
    'b/y.ts': "import '../c/z.ts';",
    'c/z.ts': '',
  };
  expect(await circlesIn(files)).toEqual([]);
});

test('a circle is described by its folders, with an import of each', async () => {
  expect(
    await circlesIn({ 'a/x.ts': "import '../b/y.ts';", 'b/y.ts': '', 'b/z.ts': "import '../a/w.ts';", 'a/w.ts': '' }),
  ).toEqual(['a -> b (a/x.ts -> b/y.ts), b -> a (b/z.ts -> a/w.ts)']);
});

async function circlesIn(files: Record<string, string>): Promise<string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-circles-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  return await findCircles(folder.path, Object.keys(files));
}

test('no folder lies deeper in its zone than the rules reach', async () => {
  const levels = 4;
  for (const root of ['daemon', 'electron', 'renderer', 'e2e/electron-standin']) {
    const files = (await readdir(join(projectDir, root), { recursive: true })).filter((file) => /\.tsx?$/.test(file));
    // A zone lies at most one level below the daemon or the renderer.
    expect(files.filter((file) => dirname(file).split('/').length > levels)).toEqual([]);
  }
});

test('there are no barrels, which would cause import circles', async () => {
  for (const folder of ['daemon', 'renderer', 'scripts', 'e2e']) {
    const files = await readdir(join(projectDir, folder), { recursive: true });
    expect(files.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([]);
  }
});
