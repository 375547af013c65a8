import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { dataPaths } from '../files/data-paths.ts';
import { createLogger } from '../logger.ts';
import { clearTheWay } from './obstacles.ts';

async function dataFolder() {
  const root = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const logged: string[] = [];
  const log = createLogger('warn', (line) => logged.push(line.slice(13).trim()));
  const paths = dataPaths(root);
  const clear = () => clearTheWay(paths, { now: () => new Date('2026-11-22T10:00:00.123Z'), log });
  return { root, paths, logged, clear };
}

const folders = ['apps', 'work', 'runs', 'endpoints', 'models', 'sockets', 'runtimes', 'tools', 'cache'];
const inFolders = ['apps/dance', 'apps/dance/envs', 'apps/dance/files', 'runs/0123456789abcdef', 'models/ada--tiny'];

test.each([...folders, ...inFolders, 'shader-cache'])(
  'a file in the place of the folder %s is set aside',
  async (name) => {
    const { root, paths, logged, clear } = await dataFolder();
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'mine');
    await clear();
    const aside = join(root, `${path.split('/').at(-1)}.damaged-20261122T100000123`);
    expect(await readFile(aside, 'utf8')).toBe('mine');
    expect(logged).toEqual([`warn  ${path} is not a folder: it is set aside as ${aside}`]);
    await clear();
    expect(logged).toHaveLength(1);
    expect(relative(root, paths.apps)).toBe('apps');
  },
);

test.each([
  ...['jobs.json', 'runs.json', 'startup-app.json', 'store.json', 'hub-token.json', 'tokens.json', 'secret-key'],
  ...['notifications.json', 'mail.json', 'measured-memory.json', 'containers.json', 'graphics-cards.json'],
  ...['catalog-source.json', 'remote-catalog.jsonl', 'access-token', 'leaders.json', 'daemon.json'],
  ...['sessions.json', 'sign-in-code.json', 'token-uses.json', 'measured-speed.json'],
])('a folder in the place of the file %s is set aside', async (name) => {
  const { root, logged, clear } = await dataFolder();
  await mkdir(join(root, name, 'deep'), { recursive: true });
  await clear();
  expect(await readdir(root)).toEqual([`${name}.damaged-20261122T100000123`]);
  expect(logged).toHaveLength(1);
});

test('a link to a folder that does not exist stays, and is reported with what to do', async () => {
  const { root, clear } = await dataFolder();
  await symlink(join(root, 'unplugged'), join(root, 'models'));
  await expect(clear()).rejects.toThrow(
    `${join(root, 'models')} is a link to a folder that does not exist. Connect its disk, or run "robot-daemon doctor --fix", which sets the link aside.`,
  );
  expect(await readdir(root)).toEqual(['models']);
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: only root can run a process as another user');
test.skipIf(!isRoot)(
  'a folder that this user can only read, as models that users share, does not end the start',
  async () => {
    const { root } = await dataFolder();
    await chmod(root, 0o777);
    for (const [name, mode] of [
      ['models', 0o755],
      ['cache', 0o700],
    ] as const) {
      await mkdir(join(root, name));
      await chmod(join(root, name), mode);
    }
    const urls = ['./obstacles.ts', './obstacles.ts', '../files/data-paths.ts'].map(
      (path) => new URL(path, import.meta.url).href,
    );
    const script = `const [{ clearTheWay }, { findObstacles }, { dataPaths }] = await Promise.all(
      process.argv.slice(2).map((url) => import(url)));
    process.setuid(65534);
    const paths = dataPaths(process.argv[1]);
    console.log((await findObstacles(paths)).map(({ problem }) => problem).join());
    const log = { warn: (line) => console.log(line) };
    await clearTheWay(paths, { now: () => new Date(), log }).catch(({ message }) => console.log(message));`;
    const said = async () =>
      (await execa(process.execPath, ['--input-type=module', '-e', script, root, ...urls])).stdout.split('\n');
    const models = `${join(root, 'models')} can only be read by this user: nothing can be saved in it`;
    expect(await said()).toEqual([
      'read-only,access',
      models,
      expect.stringContaining(`${join(root, 'cache')} cannot be used by this user (EACCES).`),
    ]);
    await chmod(join(root, 'cache'), 0o777);
    expect(await said()).toEqual(['read-only', models]);
  },
);

test('links to folders, damaged files, and files of others are none of its business', async () => {
  const { root, logged, clear } = await dataFolder();
  await mkdir(join(root, 'elsewhere'));
  await mkdir(join(root, 'apps', 'dance', 'envs'), { recursive: true });
  await symlink(join(root, 'elsewhere'), join(root, 'tools'));
  await writeFile(join(root, 'jobs.json'), 'no JSON');
  await writeFile(join(root, 'apps', '.DS_Store'), '');
  const before = await readdir(root, { recursive: true });
  await clear();
  expect(await readdir(root, { recursive: true })).toEqual(before);
  expect(logged).toEqual([]);
});
