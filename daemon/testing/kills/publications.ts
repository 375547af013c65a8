import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect } from 'vitest';
import { PUBLICATION_VARIABLE, publicationMark } from '../../assistant/publish/git-command.ts';
import { publishSteps } from '../../assistant/publish/publish-app.ts';
import { processesWithEnvironment, signalProcess } from '../../shared/processes/processes.ts';
import { lineMatching } from '../daemon/line-matching.ts';
import { type FakeHub, startFakeHub } from '../fake-hub.ts';
import { hubClient } from '../publishing/hub-client.ts';
import { appFiles, type OwnAppFolder, ownAppFolder, TOKEN } from '../publishing/own-app.ts';
import type { KilledProgram, KilledWork } from './killed-work.ts';

const PICTURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const edited = { 'wave/main.py': `${appFiles['wave/main.py']}# edited\n`, 'wave/new.py': '', 'wave/__init__.py': null };
const picture = { 'wave/icon.png': PICTURE };

interface Scene {
  readonly hasGit: boolean;
  /** Whether it is of a new app; another begins where the publication before left its app. */
  readonly isNew?: boolean;
  /** The author's changes since then. */
  readonly edits: Readonly<Record<string, string | Uint8Array | null>>;
}

const scenes: Readonly<Record<string, Scene>> = {
  'a new app with git': { hasGit: true, isNew: true, edits: {} },
  'an update with git': { hasGit: true, edits: edited },
  'an update whose push the hub refuses': { hasGit: true, edits: { ...picture, 'wave/main.py': '' } },
  'a new app without git': { hasGit: false, isNew: true, edits: {} },
  'an update without git': { hasGit: false, edits: { ...edited, ...picture } },
};

/** A kill comes within this time after the start of a step. */
const LONGEST_STEP_MS = 250;
/** The last step only looks. */
const steps = publishSteps.map(({ name }) => name).filter((name) => name !== 'verify');
const program = join(import.meta.dirname, '..', 'publishing', 'publish-once.ts');
const never = new AbortController().signal;

/** A publication in a process of its own: the next one ends well, and nothing is published twice. */
export const publications: KilledWork = {
  name: 'a publication',
  parts: Object.keys(scenes),
  kills: 20,
  begin: async () => {
    const hub = await startFakeHub();
    hub.addToken(TOKEN, { name: 'ada', role: 'write' });
    // Keeps the compiled sources of the killed program: compiling them takes longer than a publication.
    const compiled = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-compiled-'));
    return new KilledPublications(hub, compiled);
  },
};

class KilledPublications implements KilledProgram {
  readonly #hub: FakeHub;
  readonly #compiled: AsyncDisposable & { readonly path: string };
  #app: PublishedApp | undefined;
  /** The titles of the commits of the app on the hub, the newest first. */
  #titles: string[] = [];

  constructor(hub: FakeHub, compiled: AsyncDisposable & { readonly path: string }) {
    this.#hub = hub;
    this.#compiled = compiled;
  }

  async kill(name: string, number: number, random: () => number): Promise<string> {
    const scene = scenes[name] as Scene;
    if (scene.isNew || !this.#app) await this.#begin(`wave-${number}`, scene);
    const app = this.#app as PublishedApp;
    await app.write(scene.edits);
    const killsGit = random() < 0.5;
    const step = await this.#publishAndDie(app, scene, random, killsGit);

    const where = `${name}, killed in ${step}${killsGit ? ' with git' : ''}`;
    const version = `0.1.${this.#titles.length - 1}`;
    this.#titles.unshift(`Publish ${version}`);
    const published = await app.publish().catch((error: Error) => error);
    expect(published, where).toMatchObject({ id: app.id, version, hasRemote: scene.hasGit });
    expect(await this.#hub.history(app.id), where).toEqual(this.#titles);
    await expectPublished(this.#hub, app, scene, version, where);
    expect(await app.publish(), where).toEqual(published);
    expect(await this.#hub.history(app.id), where).toEqual(this.#titles);
    return step;
  }

  async #begin(name: string, { hasGit }: Scene): Promise<void> {
    await this.#app?.[Symbol.asyncDispose]();
    const pyproject = appFiles['pyproject.toml']?.replace('"wave"', `"${name}"`) ?? '';
    const files = { ...appFiles, 'pyproject.toml': pyproject };
    this.#app = { ...(await ownAppFolder(this.#hub, { hasGit, files })), id: `ada/${name}` };
    this.#titles = ['initial commit'];
  }

  /** Starts a publication and kills it. @returns the step under way */
  async #publishAndDie(
    { folder }: OwnAppFolder,
    { hasGit }: Scene,
    random: () => number,
    killsGit: boolean,
  ): Promise<string> {
    const wanted = steps[Math.floor(random() * steps.length)];
    const child = execa(process.execPath, [program, folder, this.#hub.url, hasGit ? 'git' : 'no-git'], {
      env: { ROBOT_HUB_TOKEN: TOKEN, NODE_COMPILE_CACHE: this.#compiled.path },
      reject: false,
      timeout: 60_000,
    });
    await lineMatching(child.stderr, new RegExp(`^${wanted}$`));
    await sleep(random() * LONGEST_STEP_MS);
    child.kill('SIGKILL');
    if (killsGit) {
      const left = await processesWithEnvironment(PUBLICATION_VARIABLE, publicationMark(folder));
      for (const pid of left) signalProcess(pid, 'SIGKILL');
    }
    const { stderr, exitCode } = await child;
    if (exitCode === 0) return 'ended';
    return stderr.split('\n').findLast((line) => /^\w+$/.test(line)) ?? 'none';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of [this.#app, this.#hub, this.#compiled]) await each?.[Symbol.asyncDispose]();
  }
}

interface PublishedApp extends OwnAppFolder {
  readonly id: string;
}

/** On the hub and in the folder: the same files, whole, and nothing else. */
async function expectPublished(
  hub: FakeHub,
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
