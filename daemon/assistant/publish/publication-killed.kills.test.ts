/** A publication in a process of its own is killed (SIGKILL) at seeded moments; the next one ends well, and nothing is twice. */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesWithEnvironment, signalProcess } from '../../shared/processes/processes.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { hubClient } from '../../testing/publishing/hub-client.ts';
import { appFiles, type OwnAppFolder, ownAppFolder, TOKEN } from '../../testing/publishing/own-app.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { PUBLICATION_VARIABLE, publicationMark } from './git/git-command.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 20);
const seed = Number(process.env['TORTURE_SEED'] ?? 20261123);
console.log(`${kills} kills with TORTURE_SEED=${seed}`);
const random = seededRandom(seed);

const scenes = [
  { name: 'a new app with git', hasGit: true, isUpdate: false, hasPicture: false },
  { name: 'an update with git', hasGit: true, isUpdate: true, hasPicture: false },
  { name: 'a new app without git', hasGit: false, isUpdate: false, hasPicture: false },
  { name: 'an update without git', hasGit: false, isUpdate: true, hasPicture: true },
  { name: 'an update whose push the hub refuses', hasGit: true, isUpdate: true, hasPicture: true },
] as const;
type Scene = (typeof scenes)[number];
/** Duration of each scene from its first step, and a little more. */
const lastsMs = new Map<string, number>();
/** Number of kills by the step under way. */
const found = new Map<string, number>();

const program = join(import.meta.dirname, '..', '..', 'testing', 'publishing', 'publish-once.ts');
const never = new AbortController().signal;
const PICTURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const MAIN = `${appFiles['wave/main.py']}# edited\n`;
let hub: FakeHub;
let made = 0;

beforeAll(async () => {
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
  for (const scene of scenes) {
    await using app = await prepare(scene);
    const child = start(app, scene);
    await once(child.stderr, 'data');
    const startMs = performance.now();
    await child;
    lastsMs.set(scene.name, 1.3 * (performance.now() - startMs));
  }
}, 120_000);
afterAll(async () => {
  console.log(`kills by step: ${[...found].map(([step, count]) => `${step} ${count}`).join(', ')}`);
  await hub[Symbol.asyncDispose]();
});

const all = Array.from({ length: kills }, (_, index) => {
  const scene = scenes[index % scenes.length] as Scene;
  return { number: index + 1, name: scene.name, scene, share: random(), killsGit: random() < 0.5 };
});

test.concurrent.each(all)(
  'kill $number: $name',
  async ({ scene, share, killsGit }) => {
    await using app = await prepare(scene);
    const child = start(app, scene);
    await once(child.stderr, 'data');
    const afterMs = share * (lastsMs.get(scene.name) ?? 0);
    await sleep(afterMs);
    child.kill('SIGKILL');
    if (killsGit) {
      const left = await processesWithEnvironment(PUBLICATION_VARIABLE, publicationMark(app.folder));
      for (const pid of left) signalProcess(pid, 'SIGKILL');
    }
    const { stderr, exitCode } = await child;
    const step =
      exitCode === 0
        ? 'ended'
        : (stderr
            .trim()
            .split('\n')
            .findLast((line) => /^\w+$/.test(line)) ?? 'none');
    found.set(step, (found.get(step) ?? 0) + 1);

    const where = `${scene.name}, killed after ${afterMs.toFixed(1)} ms in ${step}${killsGit ? ' with git' : ''}`;
    const published = await app.publish().catch((error: Error) => error);
    const version = scene.isUpdate ? '0.1.1' : '0.1.0';
    expect(published, where).toMatchObject({ version, hasRemote: scene.hasGit });
    await expectPublishedOnce(app, scene, where);
    expect(await app.publish(), where).toEqual(published);
    await expectPublishedOnce(app, scene, where);
  },
  120_000,
);

/** A folder with an app, for an update with one that is published and edited since. */
async function prepare({ hasGit, isUpdate, hasPicture }: Scene): Promise<OwnAppFolder> {
  made += 1;
  const pyproject = appFiles['pyproject.toml']?.replace('"wave"', `"wave-${made}"`) ?? '';
  const app = await ownAppFolder(hub, { hasGit, files: { ...appFiles, 'pyproject.toml': pyproject } });
  if (isUpdate) {
    await app.publish();
    await app.write({ 'wave/main.py': MAIN, 'wave/new.py': '', 'wave/__init__.py': null });
    if (hasPicture) await app.write({ 'wave/icon.png': PICTURE });
  }
  return app;
}

function start({ folder }: OwnAppFolder, { hasGit }: Scene) {
  return execa(process.execPath, [program, folder, hub.url, hasGit ? 'git' : 'no-git'], {
    env: { ROBOT_HUB_TOKEN: TOKEN },
    reject: false,
    timeout: 60_000,
  });
}

async function expectPublishedOnce({ folder, git }: OwnAppFolder, scene: Scene, where: string): Promise<void> {
  const text = await readFile(join(folder, 'pyproject.toml'), 'utf8');
  const id = `ada/${/name = "(.*)"/.exec(text)?.[1]}`;
  const titles = ['Publish 0.1.0', 'initial commit'];
  expect(await hub.history(id), where).toEqual(scene.isUpdate ? ['Publish 0.1.1', ...titles] : titles);
  expect(text, where).toContain(`version = "${scene.isUpdate ? '0.1.1' : '0.1.0'}"`);

  const client = hubClient(hub.url, TOKEN);
  const { commit } = await client.resolve(id, null, never);
  const space = { type: 'space', id } as const;
  const files = await client.files(space, commit, never);
  const paths = files.map(({ path }) => path).filter((path) => path !== '.gitattributes');
  const expected = scene.isUpdate
    ? [
        ...['.gitignore', 'README.md', 'pyproject.toml'],
        ...(scene.hasPicture ? ['wave/icon.png'] : []),
        ...['wave/main.py', 'wave/new.py'],
      ]
    : Object.keys(appFiles).sort();
  expect(paths, where).toEqual(expected);
  for (const path of paths.filter((name) => name !== 'wave/icon.png')) {
    expect(await client.readFile(space, commit, path, 10_000, never), where).toBe(
      await readFile(join(folder, path), 'utf8'),
    );
  }
  const names = await readdir(folder);
  const own = ['.gitignore', 'README.md', 'pyproject.toml', 'wave'];
  expect(names.sort(), where).toEqual(scene.hasGit ? ['.git', '.gitattributes', ...own] : own);
  if (!scene.hasGit) return;
  const inGit = await readdir(join(folder, '.git'), { recursive: true });
  expect(
    inGit.filter((name) => name.endsWith('.lock')),
    where,
  ).toEqual([]);
  expect(await git('rev-parse', 'refs/remotes/space/main'), where).toBe(commit);
  if (scene.hasPicture) return; // the branch does not follow to a commit with a pointer in place of the picture
  expect(await git('status', '--porcelain', '--branch'), where).toBe('## main');
  expect(await git('rev-parse', 'HEAD'), where).toBe(commit);
  expect((await readdir(join(folder, '.git'), { recursive: true })).filter((name) => name.endsWith('.lock'))).toEqual(
    [],
  );
}
