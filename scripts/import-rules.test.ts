/** Each import rule must report a planted violation. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectDir } from './environment/project.ts';

let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'robot-desktop-rules-'));
  const configs = [
    'oxlint.config.ts',
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
const bin = (program: string) => join(projectDir, 'node_modules', '.bin', program);
async function outputOf(program: string, args: string[]): Promise<string> {
  const options = { cwd: tree, all: true, reject: false } as const;
  const { failed, all } = await execa(bin(program), args, options);
  return failed ? all : 'nothing found';
}
const value = 'export const x = 1;\n';
const importing = (from: string) => `import { x } from '${from}';\nexport const y = x;\n`;
const importingType = (from: string) => `import type { X } from '${from}';\nexport type Y = X;\n`;

interface Complaint {
  readonly code: string;
  readonly filename: string;
  readonly help: string;
}

describe('oxlint finds', () => {
  /** A file of the first folder imports a package, or a file of another folder. */
  const forbidden: [folder: string, imported: string][] = [
    ['daemon/contract', 'daemon/shared'],
    ['daemon/contract/apps', 'daemon/shared'],
    ['daemon/contract', 'daemon/client'],
    ['daemon/contract', 'node:path'],
    ['daemon/client', 'daemon/contract'],
    ['daemon/client', 'daemon/client/node'],
    ['daemon/client', 'daemon/shared'],
    ['daemon/client', 'node:path'],
    ['daemon/client', 'zod'],
    ['daemon/client/node', 'daemon/shared'],
    ['daemon/shared', 'daemon/hub'],
    ['daemon/shared/files', 'daemon/robot'],
    ['daemon/shared', 'daemon/create-daemon'],
    ['daemon/robot', 'daemon/apps'],
    ['daemon/robot/lite', 'daemon/apps/run'],
    ['daemon/robot', 'express'],
    ['daemon/jobs', 'daemon/apps'],
    ['daemon/jobs', 'daemon/hub'],
    ['daemon/app-package', 'daemon/jobs'],
    ['daemon/hub', 'daemon/apps'],
    ['daemon/hub', 'daemon/app-package'],
    ['daemon/access', 'daemon/apps'],
    ['daemon/catalog', 'daemon/endpoints'],
    ['daemon/catalog/compute', 'daemon/graphics-cards'],
    ['daemon/catalog/remote', 'daemon/http'],
    ['daemon/model-files', 'daemon/endpoints'],
    ['daemon/model-files/gguf', 'daemon/catalog'],
    ['daemon/graphics-cards', 'daemon/endpoints'],
    ['daemon/graphics-cards', 'daemon/llama-runner'],
    ['daemon/endpoints', 'daemon/access'],
    ['daemon/endpoints/runtime', 'daemon/llama-runner'],
    ['daemon/endpoints/replicas', 'daemon/http/gateway'],
    ['daemon/llama-runner', 'daemon/shared'],
    ['daemon/llama-runner/http', 'daemon/contract'],
    ['daemon/llama-runner/model', 'daemon/endpoints/runtime'],
    ['daemon/http/gateway', 'daemon/llama-runner'],
    ['daemon', 'daemon/llama-runner'],
    ['daemon/apps', 'daemon/catalog'],
    ['daemon/apps', 'daemon/client'],
    ['daemon/apps', 'daemon/http'],
    ['daemon/apps/run', 'daemon/http/routes'],
    ['daemon/apps', 'daemon/testing'],
    ['daemon/apps/x/y/z', 'daemon/http'],
    ['daemon/apps', 'daemon/doctor'],
    ['daemon/doctor', 'daemon/http'],
    ['daemon/doctor', 'daemon/lifecycle'],
    ['daemon/doctor', 'daemon/create-daemon'],
    ['daemon/lifecycle', 'daemon/http'],
    ['daemon/lifecycle', 'daemon/create-daemon'],
    ['daemon/http', 'daemon/lifecycle'],
    ['daemon/http', 'daemon/create-daemon'],
    ['daemon/http', 'daemon/cli'],
    ['daemon/http', 'daemon/doctor'],
    ['daemon', 'daemon/cli'],
    ['daemon/cli', 'daemon/testing'],
    ['electron', 'renderer'],
    ['electron', 'renderer/parts'],
    ['electron', 'electron/testing'],
    ['renderer/api', 'renderer/features'],
    ['renderer/api', 'react'],
    ['renderer/parts', 'renderer/features/robot'],
    ['renderer/features/apps', 'renderer/testing'],
    ['renderer/features/apps', 'renderer/theme'],
    ['renderer/features/apps', 'electron'],
    ['renderer/store', 'renderer/parts'],
    ['renderer/store', 'renderer/features/apps'],
    ['renderer/slices/apps', 'renderer/store'],
    ['renderer/slices', 'renderer/parts/notes'],
    ['renderer/slices/base', 'react'],
    ['renderer/navigation', 'renderer/slices/apps'],
    ['renderer/api', 'renderer/slices/apps'],
    ['renderer/theme', 'renderer/parts'],
    ['e2e/electron-standin', 'renderer/parts'],
    ['e2e/electron-standin', 'scripts'],
    ['e2e/electron-standin/page', 'express'],
  ];
  const forbiddenTypes: [folder: string, imported: string][] = [
    ['daemon/jobs', 'daemon/http'],
    ['daemon/contract', 'daemon/shared'],
    ['daemon/apps', 'electron'],
    ['daemon/model-files', 'daemon/llama-runner'],
  ];
  const allowed: [folder: string, imported: string][] = [
    ['e2e/electron-standin/page', 'node:path'],
    ['e2e', 'daemon/testing'],
    ['daemon/apps/run', 'daemon/robot'],
    ['daemon/apps', 'daemon/hub'],
    ['daemon/contract/endpoints', 'daemon/contract/apps'],
    ['daemon/contract', 'zod'],
    ['daemon/client/node', 'daemon/contract'],
    ['daemon/http/routes', 'express'],
    ['daemon/llama-runner/http', 'node:http'],
    ['daemon/model-files', 'daemon/hub'],
    ['daemon/endpoints/replicas', 'daemon/model-files'],
    ['daemon/endpoints/preparation', 'daemon/graphics-cards'],
    ['daemon/endpoints/runtime-install', 'daemon/jobs'],
    ['daemon', 'daemon/lifecycle'],
    ['daemon', 'daemon/doctor'],
    ['renderer/features/apps', 'react'],
    ['renderer/features/apps', 'renderer/slices/apps'],
    ['renderer/store', 'renderer/slices/apps'],
    ['renderer/slices/apps', 'renderer/slices/base'],
  ];
  const allowedTypes: [folder: string, imported: string][] = [
    ['daemon/client', 'daemon/contract'],
    ['daemon/endpoints/runtime', 'daemon/llama-runner'],
    ['daemon/graphics-cards', 'daemon/llama-runner'],
    ['daemon/http/routes', 'daemon/doctor'],
    ['electron', 'electron'],
  ];

  const planted: Record<string, string> = {
    'daemon/apps/circle-a.ts': importing('./circle-b.ts').replace('{ x }', '{ y as x }'),
    'daemon/apps/circle-b.ts': importing('./circle-a.ts').replace('{ x }', '{ y as x }'),
    'daemon/apps/type-circle-a.ts': "import type { B } from './type-circle-b.ts';\nexport interface A { b: B }\n",
    'daemon/apps/type-circle-b.ts': "import type { A } from './type-circle-a.ts';\nexport interface B { a: A }\n",
    'daemon/apps/promise.ts': 'export function f(): void {\n  Promise.resolve(1);\n}\n',
    'daemon/apps/a.test.ts': importing('../create-daemon.ts'),
    'electron/main.ts': "import { app } from 'electron';\nexport const y = app;\n",
    'electron/a.ts': "import { app } from 'electron';\nexport const y = app;\n",
  };
  const plant = (kind: string, pairs: [string, string][], importText: (from: string) => string) => {
    for (const [folder, imported] of pairs) {
      const file = `${folder}/${kind}-${imported.replaceAll(/[/:]/g, '-')}.ts`;
      const isPackage = !/^(daemon|renderer|scripts|electron\/)/.test(imported);
      const target = imported.endsWith('create-daemon') ? `${imported}.ts` : `${imported}/target.ts`;
      const path = relative(folder, target);
      planted[file] = importText(isPackage ? imported : path.startsWith('.') ? path : `./${path}`);
      if (!isPackage) planted[target] = 'export const x = 1;\nexport type X = 1;\n';
    }
  };
  plant('value', [...forbidden, ...allowed], importing);
  plant('type', [...forbiddenTypes, ...allowedTypes], importingType);

  let complaints: Complaint[];
  beforeAll(async () => {
    complaints = await withPlanted(planted, async () => {
      const { stdout } = await execa(bin('oxlint'), ['--type-aware', '--format=json', '.'], {
        cwd: tree,
        reject: false,
      });
      return (JSON.parse(stdout) as { diagnostics: Complaint[] }).diagnostics;
    });
  });
  const codesOf = (file: string) => complaints.filter(({ filename }) => filename === file).map(({ code }) => code);
  const restricted = ['eslint(no-restricted-imports)'];
  const fileOf = (kind: string, folder: string, imported: string) =>
    `${folder}/${kind}-${imported.replaceAll(/[/:]/g, '-')}.ts`;

  test.each(forbidden)('%s importing %s', (folder, imported) => {
    expect(codesOf(fileOf('value', folder, imported))).toEqual(restricted);
  });
  test.each(forbiddenTypes)('%s importing a type of %s', (folder, imported) => {
    expect(codesOf(fileOf('type', folder, imported))).toEqual(restricted);
  });
  test.each([
    ['a circle', 'daemon/apps/circle-a.ts', 'import(no-cycle)'],
    ['a circle of types', 'daemon/apps/type-circle-a.ts', 'import(no-cycle)'],
    ['a floating promise', 'daemon/apps/promise.ts', 'typescript(no-floating-promises)'],
    ['a test that composes a daemon', 'daemon/apps/a.test.ts', 'eslint(no-restricted-imports)'],
    ["Electron beyond the desktop program's entry", 'electron/a.ts', 'eslint(no-restricted-imports)'],
  ])('%s', (_name, file, code) => expect(codesOf(file)).toEqual([code]));

  test('nothing in allowed imports', () => {
    const good = [
      ...allowed.map(([folder, imported]) => fileOf('value', folder, imported)),
      ...allowedTypes.map(([folder, imported]) => fileOf('type', folder, imported)),
      'electron/main.ts',
    ];
    expect(good.flatMap(codesOf)).toEqual([]);
  });
  test('a forbidden import, and lists the zones that the folder may import', () => {
    expect(
      complaints.find(({ filename }) => filename === fileOf('value', 'daemon/client/node', 'daemon/shared'))?.help,
    ).toBe('daemon/client/node imports daemon/client, daemon/contract of this project');
  });
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
