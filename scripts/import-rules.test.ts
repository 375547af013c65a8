/** The checkers of who may import whom, themselves checked: each rule must fail on a planted violation. */
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectDir } from './project.ts';

let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'robot-desktop-rules-'));
  const configs = [
    '.oxlintrc.json',
    'biome.json',
    'tsconfig.base.json',
    'daemon/tsconfig.json',
    'daemon/contract/tsconfig.json',
    'daemon/client/tsconfig.json',
    'renderer/tsconfig.json',
  ];
  for (const config of configs) {
    await mkdir(dirname(join(tree, config)), { recursive: true });
    await cp(join(projectDir, config), join(tree, config));
  }
  await symlink(join(projectDir, 'node_modules'), join(tree, 'node_modules'));
});
afterAll(() => rm(tree, { recursive: true, force: true }));

async function withPlanted<T>(files: Record<string, string>, look: () => Promise<T>): Promise<T> {
  const paths = Object.keys(files).map((file) => join(tree, file));
  for (const [index, text] of Object.values(files).entries()) {
    await mkdir(dirname(paths[index] as string), { recursive: true });
    await writeFile(paths[index] as string, text);
  }
  try {
    return await look();
  } finally {
    for (const path of paths) await rm(path);
  }
}
async function outputOf(program: string, args: string[]): Promise<string> {
  const options = { cwd: tree, all: true, reject: false } as const;
  const { failed, all } = await execa(join(projectDir, 'node_modules', '.bin', program), args, options);
  return failed ? all : 'nothing found';
}
const lint = (files: Record<string, string>) =>
  withPlanted(files, () => outputOf('oxlint', ['--type-aware', ...Object.keys(files)]));

const value = 'export const x = 1;\n';
const importing = (from: string) => `import { x } from '${from}';\nexport const y = x;\n`;

describe('oxlint finds', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'a circle',
      {
        'daemon/apps/a.ts': importing('./b.ts').replace('{ x }', '{ y as x }'),
        'daemon/apps/b.ts': importing('./a.ts').replace('{ x }', '{ y as x }'),
      },
      'no-cycle',
    ],
    [
      'a circle of types',
      {
        'daemon/apps/a.ts': "import type { B } from './b.ts';\nexport interface A { b: B }\n",
        'daemon/apps/b.ts': "import type { A } from './a.ts';\nexport interface B { a: A }\n",
      },
      'no-cycle',
    ],
    [
      'the contract importing the daemon',
      { 'daemon/contract/a.ts': importing('../shared/clock.ts'), 'daemon/shared/clock.ts': value },
      'zod and itself only',
    ],
    [
      'the contract importing Node',
      { 'daemon/contract/a.ts': "import { join } from 'node:path';\nexport const y = join;\n" },
      'zod and itself only',
    ],
    [
      'the client importing the daemon',
      { 'daemon/client/node/a.ts': importing('../../shared/clock.ts'), 'daemon/shared/clock.ts': value },
      'the contract and itself only',
    ],
    [
      "the page's client importing schemas",
      { 'daemon/client/a.ts': importing('../contract/b.ts'), 'daemon/contract/b.ts': value },
      'must not load the schemas',
    ],
    [
      "the page's client importing that of Node",
      { 'daemon/client/a.ts': importing('./node/b.ts'), 'daemon/client/node/b.ts': value },
      'it knows no Node',
    ],
    [
      'the domain importing the client',
      { 'daemon/apps/a.ts': importing('../client/b.ts'), 'daemon/client/b.ts': value },
      'knows no HTTP',
    ],
    [
      'the domain importing HTTP',
      { 'daemon/apps/a.ts': importing('../http/b.ts'), 'daemon/http/b.ts': value },
      'knows no HTTP',
    ],
    [
      'the domain importing a type from HTTP',
      {
        'daemon/jobs/a.ts': "import type { X } from '../http/b.ts';\nexport type Y = X;\n",
        'daemon/http/b.ts': 'export type X = 1;\n',
      },
      'knows no HTTP',
    ],
    [
      'the domain importing Express',
      { 'daemon/robot/a.ts': "import express from 'express';\nexport const y = express;\n" },
      'knows no HTTP',
    ],
    [
      'the robot importing apps',
      { 'daemon/robot/a.ts': importing('../apps/b.ts'), 'daemon/apps/b.ts': value },
      'who may import whom',
    ],
    [
      'jobs importing apps',
      { 'daemon/jobs/a.ts': importing('../apps/b.ts'), 'daemon/apps/b.ts': value },
      'who may import whom',
    ],
    [
      'packages importing jobs',
      { 'daemon/app-package/a.ts': importing('../jobs/b.ts'), 'daemon/jobs/b.ts': value },
      'who may import whom',
    ],
    [
      'the hub importing apps',
      { 'daemon/hub/a.ts': importing('../apps/b.ts'), 'daemon/apps/b.ts': value },
      'who may import whom',
    ],
    [
      'the catalog importing endpoints',
      { 'daemon/catalog/a.ts': importing('../endpoints/b.ts'), 'daemon/endpoints/b.ts': value },
      'who may import whom',
    ],
    [
      'endpoints importing who may call',
      { 'daemon/endpoints/a.ts': importing('../access/b.ts'), 'daemon/access/b.ts': value },
      'who may import whom',
    ],
    [
      'who may call importing apps',
      { 'daemon/access/a.ts': importing('../apps/b.ts'), 'daemon/apps/b.ts': value },
      'who may import whom',
    ],
    [
      'apps importing the catalog',
      { 'daemon/apps/a.ts': importing('../catalog/b.ts'), 'daemon/catalog/b.ts': value },
      'who may import whom',
    ],
    [
      'the catalog importing HTTP',
      { 'daemon/catalog/a.ts': importing('../http/b.ts'), 'daemon/http/b.ts': value },
      'knows no HTTP',
    ],
    [
      'the hub importing packages',
      { 'daemon/hub/a.ts': importing('../app-package/b.ts'), 'daemon/app-package/b.ts': value },
      'who may import whom',
    ],
    [
      'jobs importing the hub',
      { 'daemon/jobs/a.ts': importing('../hub/b.ts'), 'daemon/hub/b.ts': value },
      'who may import whom',
    ],
    [
      'shared ground importing the hub',
      { 'daemon/shared/a.ts': importing('../hub/b.ts'), 'daemon/hub/b.ts': value },
      'who may import whom',
    ],
    [
      'shared ground importing the domain',
      { 'daemon/shared/a.ts': importing('../robot/b.ts'), 'daemon/robot/b.ts': value },
      'who may import whom',
    ],
    [
      'the lifecycle importing HTTP',
      { 'daemon/lifecycle/a.ts': importing('../http/b.ts'), 'daemon/http/b.ts': value },
      'knows no HTTP',
    ],
    [
      'HTTP deciding when the daemon ends',
      { 'daemon/http/a.ts': importing('../lifecycle/b.ts'), 'daemon/lifecycle/b.ts': value },
      'compose a daemon',
    ],
    [
      'HTTP composing a daemon',
      { 'daemon/http/a.ts': importing('../create-daemon.ts'), 'daemon/create-daemon.ts': value },
      'compose a daemon',
    ],
    [
      'the product importing tests',
      { 'daemon/apps/a.ts': importing('../testing/b.ts'), 'daemon/testing/b.ts': value },
      'for tests',
    ],
    [
      "the browser's client importing components",
      { 'renderer/api/a.ts': importing('../features/b.ts'), 'renderer/features/b.ts': value },
      'who may import whom',
    ],
    [
      'a slice importing the store',
      {
        'renderer/features/x/x-slice.ts': importing('../../store/dashboard-store.ts'),
        'renderer/store/dashboard-store.ts': value,
      },
      'a slice knows neither',
    ],
    [
      'a shared part importing a feature',
      { 'renderer/parts/a.ts': importing('../features/b.ts'), 'renderer/features/b.ts': value },
      'who may import whom',
    ],
    [
      "Electron beyond the desktop program's entry",
      { 'electron/a.ts': "import { app } from 'electron';\nexport const y = app;\n" },
      'only electron/main.ts imports Electron itself',
    ],
    [
      'the daemon importing Electron, types too',
      { 'daemon/apps/a.ts': "import type { App } from 'electron';\nexport type A = App;\n" },
      'only electron/ knows Electron',
    ],
    [
      'the desktop program importing the page',
      { 'electron/a.ts': importing('../renderer/b.ts'), 'renderer/b.ts': value },
      'the window loads the page over HTTP',
    ],
    [
      'a promise nobody looks at',
      { 'daemon/apps/a.ts': 'export function f(): void {\n  Promise.resolve(1);\n}\n' },
      'no-floating-promises',
    ],
  ])('%s', async (_name, files, complaint) => expect(await lint(files)).toContain(complaint));
});

test('oxlint finds nothing where all is well', async () => {
  const files = {
    'daemon/apps/a.ts': importing('../robot/b.ts'),
    'daemon/apps/h.ts': importing('../hub/c.ts'),
    'daemon/hub/c.ts': importing('../shared/c.ts')
      .replace('y = x', 'x = 1')
      .replace('import { x }', 'import { x as z }')
      .concat('export const q = z;\n'),
    'daemon/robot/b.ts': importing('../shared/c.ts')
      .replace('y = x', 'x = 1')
      .replace('import { x }', 'import { x as z }')
      .concat('export const q = z;\n'),
    'daemon/shared/c.ts': value,
    'daemon/client/a.ts': "import type { B } from '../contract/b.ts';\nexport type A = B;\n",
    'daemon/client/node/a.ts': importing('../../contract/b.ts'),
    'daemon/contract/b.ts': 'export const x = 1;\nexport type B = 1;\n',
    'electron/main.ts': "import { app } from 'electron';\nexport const y = app;\n",
    'electron/a.ts': "import type { App } from 'electron';\nexport type A = App;\n",
  };
  expect(await lint(files)).toBe('nothing found');
});

test('biome finds child processes that are started without execa', async () => {
  const spawning = "import { spawn } from 'node:child_process';\nexport const y = spawn;\n";
  const look = (file: string) => withPlanted({ [file]: spawning }, () => outputOf('biome', ['lint', file]));
  expect(await look('daemon/apps/a.ts')).toContain('Start child processes with execa');
  expect(await look('e2e/electron-standin/a.ts')).toBe('nothing found');
});

describe('the compiler finds', () => {
  const compile = (folder: string, files: Record<string, string>) =>
    withPlanted(files, () => outputOf('tsc', ['--build', folder]));
  const contract = { 'daemon/contract/c.ts': value };
  const client = { 'daemon/client/c.ts': value };

  test.each<[string, string, Record<string, string>, string]>([
    [
      'Node in the contract',
      'daemon/contract',
      { 'daemon/contract/a.ts': 'export const y = process.pid;\n' },
      'TS2591',
    ],
    [
      'the page in the daemon',
      'daemon',
      { ...contract, 'daemon/a.ts': 'export const y: string = window.name;\n' },
      'TS2304',
    ],
    [
      'Node in the page',
      'renderer',
      { ...contract, ...client, 'renderer/a.ts': 'export const y: number = process.pid;\n' },
      'TS2',
    ],
    [
      "the page in the page's client, which programs load too",
      'daemon',
      { ...contract, ...client, 'daemon/client/a.ts': 'export const y: string = window.name;\n' },
      'TS2304',
    ],
    [
      "Node in the page's client",
      'daemon/client',
      { ...contract, 'daemon/client/a.ts': 'export const y: number = process.pid;\n' },
      'TS2',
    ],
    [
      'the page importing the client that parses',
      'renderer',
      {
        ...contract,
        ...client,
        'renderer/a.ts': importing('../daemon/client/node/b.ts'),
        'daemon/client/node/b.ts': value,
      },
      'TS6307',
    ],
    [
      'the page importing the daemon',
      'renderer',
      { ...contract, ...client, 'renderer/a.ts': importing('../daemon/apps/b.ts'), 'daemon/apps/b.ts': value },
      'TS6307',
    ],
    [
      'the page importing a type of the daemon',
      'renderer',
      {
        ...contract,
        ...client,
        'renderer/a.ts': "export type Y = import('../daemon/apps/b.ts').X;\n",
        'daemon/apps/b.ts': 'export type X = 1;\n',
      },
      'TS6307',
    ],
  ])('%s', async (_name, folder, files, code) => expect(await compile(folder, files)).toContain(code));
});

test('there are no barrels, which are how circles start', async () => {
  for (const folder of ['daemon', 'renderer', 'scripts', 'e2e']) {
    const files = await readdir(join(projectDir, folder), { recursive: true });
    expect(files.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([]);
  }
});
