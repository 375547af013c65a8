/** A publication in a process of its own is killed (SIGKILL) at seeded moments; the next one ends well, and nothing is twice. */
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesWithEnvironment, signalProcess } from '../../shared/processes/processes.ts';
import { lineMatching } from '../../testing/daemon/line-matching.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { hubClient } from '../../testing/publishing/hub-client.ts';
import { appFiles, type OwnAppFolder, ownAppFolder, TOKEN } from '../../testing/publishing/own-app.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { PUBLICATION_VARIABLE, publicationMark } from './git/git-command.ts';
import { publishSteps } from './publish-app.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 20);
const seed = Number(process.env['TORTURE_SEED'] ?? 20261123);
console.log(`${kills} kills with TORTURE_SEED=${seed}`);
const random = seededRandom(seed);

const PICTURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const edited = { 'wave/main.py': `${appFiles['wave/main.py']}# edited\n`, 'wave/new.py': '', 'wave/__init__.py': null };
const picture = { 'wave/icon.png': PICTURE };

/** Of one app each: a publication begins where the one before left it. */
const scenesWithGit: readonly Scene[] = [
  { name: 'a new app with git', hasGit: true, edits: {} },
  { name: 'an update with git', hasGit: true, edits: edited },
  { name: 'an update whose push the hub refuses', hasGit: true, edits: { ...picture, 'wave/main.py': '' } },
];
const scenesWithoutGit: readonly Scene[] = [
  { name: 'a new app without git', hasGit: false, edits: {} },
  { name: 'an update without git', hasGit: false, edits: { ...edited, ...picture } },
];
interface Scene {
  readonly name: string;
  readonly hasGit: boolean;
  /** The author's changes since then. */
  readonly edits: Readonly<Record<string, string | Uint8Array | null>>;
}

/** A kill comes within this time after the start of a step. */
const LONGEST_STEP_MS = 250;
/** The last step only looks. */
const steps = publishSteps.map(({ name }) => name).filter((name) => name !== 'verify');
/** Number of kills by the step under way. */
const found = new Map<string, number>();

const program = join(import.meta.dirname, '..', '..', 'testing', 'publishing', 'publish-once.ts');
const never = new AbortController().signal;
/** Keeps the compiled sources of the killed program: compiling them takes longer than a publication. */
const compiled = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-compiled-'));
let hub: FakeHub;
let made = 0;

beforeAll(async () => {
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
});
afterAll(async () => {
  console.log(`kills by step: ${[...found].map(([step, count]) => `${step} ${count}`).join(', ')}`);
  await hub[Symbol.asyncDispose]();
  await compiled.remove();
});

interface Kill {
  readonly number: number;
  readonly scene: Scene;
  readonly step: string;
  /** From the start of the step. */
  readonly afterMs: number;
  readonly killsGit: boolean;
}

/** The kills of each app. */
const apps: Kill[][] = [];
for (let number = 1; number <= kills; ) {
  const scenes = apps.length % 2 === 0 ? scenesWithGit : scenesWithoutGit;
  const some = scenes.slice(0, kills - number + 1);
  apps.push(
    some.map((scene) => ({
      ...{ number: number++, scene, step: steps[Math.floor(random() * steps.length)] as string },
      ...{ afterMs: random() * LONGEST_STEP_MS, killsGit: random() < 0.5 },
    })),
  );
}

test.concurrent.each(apps.map((all) => ({ all, numbers: all.map(({ number }) => number).join(', ') })))(
  'kills $numbers, of one app',
  async ({ all }) => {
    await using app = await newApp(all.map(({ scene }) => scene));
    const titles = ['initial commit'];
    for (const [index, kill] of all.entries()) {
      const { scene, killsGit } = kill;
      await app.write(scene.edits);
      const step = await killPublication(app, kill);
      found.set(step, (found.get(step) ?? 0) + 1);

      const where = `${scene.name}, killed in ${step}${killsGit ? ' with git' : ''}`;
      const version = `0.1.${index}`;
      titles.unshift(`Publish ${version}`);
      const published = await app.publish().catch((error: Error) => error);
      expect(published, where).toMatchObject({ id: app.id, version, hasRemote: scene.hasGit });
      expect(await hub.history(app.id), where).toEqual(titles);
      await expectPublished(app, scene, version, where);
      expect(await app.publish(), where).toEqual(published);
      expect(await hub.history(app.id), where).toEqual(titles);
    }
  },
  180_000,
);

interface PublishedApp extends OwnAppFolder {
  readonly id: string;
}

async function newApp(scenes: readonly Scene[]): Promise<PublishedApp> {
  made += 1;
  const name = `wave-${made}`;
  const pyproject = appFiles['pyproject.toml']?.replace('"wave"', `"${name}"`) ?? '';
  const hasGit = scenes.some((scene) => scene.hasGit);
  const app = await ownAppFolder(hub, { hasGit, files: { ...appFiles, 'pyproject.toml': pyproject } });
  return { ...app, id: `ada/${name}` };
}

/** Starts a publication and kills it. @returns the step under way */
async function killPublication(app: OwnAppFolder, { scene, step, afterMs, killsGit }: Kill): Promise<string> {
  const child = start(app, scene);
  await lineMatching(child.stderr, new RegExp(`^${step}$`));
  await sleep(afterMs);
  child.kill('SIGKILL');
  if (killsGit) {
    const left = await processesWithEnvironment(PUBLICATION_VARIABLE, publicationMark(app.folder));
    for (const pid of left) signalProcess(pid, 'SIGKILL');
  }
  const { stderr, exitCode } = await child;
  if (exitCode === 0) return 'ended';
  return stderr.split('\n').findLast((line) => /^\w+$/.test(line)) ?? 'none';
}

function start({ folder }: OwnAppFolder, { hasGit }: Scene) {
  return execa(process.execPath, [program, folder, hub.url, hasGit ? 'git' : 'no-git'], {
    env: { ROBOT_HUB_TOKEN: TOKEN, NODE_COMPILE_CACHE: compiled.path },
    reject: false,
    timeout: 60_000,
  });
}

/** On the hub and in the folder: the same files, whole, and nothing else. */
async function expectPublished(
  { id, folder, git }: PublishedApp,
  { hasGit, edits }: Scene,
  version: string,
  where: string,
): Promise<void> {
  expect(await readFile(join(folder, 'pyproject.toml'), 'utf8'), where).toContain(`version = "${version}"`);
  const client = hubClient(hub.url, TOKEN);
  const { commit } = await client.resolve(id, null, never);
  const space = { type: 'space', id } as const;
  const files = await client.files(space, commit, never);
  const paths = files.map(({ path }) => path).filter((path) => path !== '.gitattributes');
  const written = Object.keys(appFiles).filter((path) => version === '0.1.0' || path !== 'wave/__init__.py');
  const added = version === '0.1.0' ? [] : ['wave/new.py'];
  const hasPicture = 'wave/icon.png' in edits;
  expect(paths, where).toEqual([...written, ...added, ...(hasPicture ? ['wave/icon.png'] : [])].sort());
  for (const path of paths.filter((name) => name !== 'wave/icon.png')) {
    expect(await client.readFile(space, commit, path, 10_000, never), where).toBe(
      await readFile(join(folder, path), 'utf8'),
    );
  }
  const names = await readdir(folder);
  const own = ['.gitignore', 'README.md', 'pyproject.toml', 'wave'];
  expect(names.sort(), where).toEqual(hasGit ? ['.git', '.gitattributes', ...own] : own);
  if (!hasGit) return;
  expect(await git('rev-parse', 'refs/remotes/space/main'), where).toBe(commit);
  // The branch does not follow to a commit with a pointer in place of the picture.
  if (!hasPicture) {
    expect(await git('status', '--porcelain', '--branch'), where).toBe('## main');
    expect(await git('rev-parse', 'HEAD'), where).toBe(commit);
  }
  const inGit = await readdir(join(folder, '.git'), { recursive: true });
  expect(
    inGit.filter((name) => name.endsWith('.lock')),
    where,
  ).toEqual([]);
}
