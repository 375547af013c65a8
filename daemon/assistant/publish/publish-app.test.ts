/** Publications without git, to a hub in memory. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PublishRequest } from '../../contract/apps/own-apps.ts';
import { HubError } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { HubFile } from '../../hub/repository-files.ts';
import type { NewCommit } from '../../hub/space-writing.ts';
import { gitVariables } from '../../testing/publishing/git-variables.ts';
import { appFiles } from '../../testing/publishing/own-app.ts';
import { passingCheck } from '../../testing/publishing/passing-check.ts';
import { NotPublishable, SpaceChangedElsewhere } from '../errors.ts';
import { type PublishDeps, publishApp, publishSteps } from './publish-app.ts';

const HUB = 'https://hub.example';
const UPDATED = '2026-01-02T03:04:05.000Z';
const never = new AbortController().signal;
let folder: string;
let hub: MemoryHub;
/** Contents by paths; null removes a file. */
type Files = Readonly<Record<string, string | Uint8Array | null>>;
async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Keeps the commits of its only Space in memory. */
class MemoryHub {
  readonly calls: string[] = [];
  readonly commits: { readonly title: string; readonly files: ReadonlyMap<string, Buffer> }[] = [];
  updatedAt: string | null = UPDATED;
  isPrivate = true;
  /** Called before it tells which commit is the newest. */
  beforeResolve = () => {};

  readonly address = async () => HUB;
  async whoAmI(token: string) {
    this.calls.push(`whoAmI ${token}`);
    return { name: 'ada', isReadOnly: false };
  }
  async createSpace(id: string, { private: isPrivate }: { private: boolean }) {
    this.calls.push(`create ${id}`);
    this.isPrivate = isPrivate;
    this.add('initial commit', { '.gitattributes': '*.bin filter=lfs\n' });
  }
  /** Adds a commit. */
  add(title: string, changes: Files): string {
    const files = new Map(this.commits.at(-1)?.files);
    for (const [path, content] of Object.entries(changes)) {
      if (content === null) files.delete(path);
      else files.set(path, Buffer.from(content));
    }
    this.commits.push({ title, files });
    return this.head;
  }
  get head(): string {
    return `${this.commits.length}`.padStart(40, '0');
  }
  get history(): string[] {
    return this.commits.map(({ title }) => title);
  }
  readonly filesAt = (commit = this.head) => this.commits[Number(commit) - 1]?.files ?? new Map<string, Buffer>();

  async resolve(id: string) {
    this.beforeResolve();
    if (this.commits.length === 0) throw new HubError('not-found', `The hub has no Space ${id}.`);
    return { commit: this.head, private: this.isPrivate, updatedAt: this.updatedAt };
  }
  async files(_repository: unknown, commit: string): Promise<HubFile[]> {
    return [...this.filesAt(commit)].map(([path, content]) => {
      const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
      return { path, size: content.length, sha256: null, oid };
    });
  }
  async readFile(_repository: unknown, commit: string, path: string) {
    return this.filesAt(commit).get(path)?.toString() ?? '';
  }
  async commit(_id: string, { parent, title, changes }: NewCommit) {
    this.calls.push('commit');
    expect(parent).toBe(this.head);
    const contents = changes.map(async ({ path, content }) => [
      path,
      content && 'file' in content ? await readFile(content.file) : content,
    ]);
    return this.add(title, Object.fromEntries(await Promise.all(contents)));
  }
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'publish-app-')));
  hub = new MemoryHub();
  await write(appFiles);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const deps = (more: Partial<PublishDeps>): PublishDeps => ({
  hub: hub as unknown as HubClient,
  token: 'hf_ada',
  environment: () => gitVariables(false),
  ...passingCheck,
  ...more,
});
function publish(choices: PublishRequest = {}, more: Partial<PublishDeps> = {}) {
  const said = { steps: [] as string[], details: [] as string[], log: [] as string[] };
  const published = publishApp(folder, choices, deps(more), {
    signal: never,
    step: (name) => said.steps.push(name),
    detail: (text) => said.details.push(text),
    log: (line) => said.log.push(line),
  });
  return { said, published };
}
const failure = (ended: Promise<unknown>) =>
  ended.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error as Error,
  );
const steps = publishSteps.map(({ name }) => name);
const WITHOUT_GIT = 'Git is not installed, or refuses this folder: the files are sent to the hub without it.';
const edited = { 'wave/main.py': 'class Wave: ...\n' };

test('a new app becomes a private Space, step by step', async () => {
  const { said, published } = publish();
  expect(await published).toEqual({
    ...{ id: 'ada/wave', url: `${HUB}/spaces/ada/wave`, private: true, version: '0.1.0', publishedAt: UPDATED },
    ...{ commit: hub.head, hasRemote: false },
  });
  expect(said).toEqual({ steps, details: ['ada/wave, private', '5 files'], log: [WITHOUT_GIT] });
  expect(hub.calls).toEqual(['whoAmI hf_ada', 'create ada/wave', 'commit']);
  expect(hub.history).toEqual(['initial commit', 'Publish 0.1.0']);
  expect([...hub.filesAt().keys()].sort()).toEqual(['.gitattributes', ...Object.keys(appFiles)].sort());
});

test('or a public one, by request', async () => {
  const { said, published } = publish({ visibility: 'public' });
  expect(await published).toMatchObject({ private: false });
  expect(said.details[0]).toBe('ada/wave, public');
});

test('what is published already is not sent again', async () => {
  const first = await publish().published;
  const { said, published } = publish();
  expect(await published).toEqual(first);
  expect(said).toEqual({ steps, details: ['0 files'], log: [WITHOUT_GIT] });
  expect(hub.history).toHaveLength(2);
});

test('an edit is published with the next version, which is written into the folder', async () => {
  const last = await publish().published;
  await write(edited);
  const { said, published } = publish({}, { last });
  expect(await published).toMatchObject({ version: '0.1.1', commit: hub.head });
  expect(said.log).toEqual([WITHOUT_GIT, 'The version in pyproject.toml becomes 0.1.1.']);
  expect(said.details).toEqual(['2 files']);
  expect(await readFile(join(folder, 'pyproject.toml'), 'utf8')).toContain('version = "0.1.1"');
  expect(hub.filesAt().get('pyproject.toml')?.toString()).toContain('version = "0.1.1"');
});

test('a wanted version must be newer than the published one, unless nothing has changed', async () => {
  const first = await publish({ version: '0.3.0' }).published;
  expect(first).toMatchObject({ version: '0.3.0' });
  expect(await readFile(join(folder, 'pyproject.toml'), 'utf8')).toContain('version = "0.3.0"');
  const message = 'The Space has version 0.3.0, which is newer than 0.2.0.';
  expect(await failure(publish({ version: '0.2.0' }).published)).toMatchObject({ findings: [{ message }] });
  expect(await publish({ version: '0.3.0' }).published).toEqual(first);
  expect(await publish({ version: '0.4.0' }).published).toMatchObject({ version: '0.4.0' });
  expect(hub.history).toEqual(['initial commit', 'Publish 0.3.0', 'Publish 0.4.0']);
});

test('the rights, line ends and comments of pyproject.toml stay when its version is raised', async () => {
  const text = `${appFiles['pyproject.toml']?.replace('"0.1.0"', "'0.1.0' # ours")}`.replaceAll('\n', '\r\n');
  await write({ 'pyproject.toml': text });
  const last = await publish().published;
  const pyproject = join(folder, 'pyproject.toml');
  await chmod(pyproject, 0o640);
  await write(edited);
  await publish({}, { last }).published;
  expect(await readFile(pyproject, 'utf8')).toBe(text.replace('0.1.0', '0.1.1'));
  expect((await stat(pyproject)).mode & 0o777).toBe(0o640);
});

test("the tag is added to the README by the check's own repair", async () => {
  await write({ 'README.md': '---\ntitle: Wave\n---\n' });
  const place = { action: null, file: 'README.md', line: 1, fixable: true } as const;
  const found = [
    { id: 'no-tag', severity: 'warning', message: '', ...place },
    { id: 'x', severity: 'warning', message: '', ...place, file: 'wave/main.py' },
  ] as const;
  const { said, published } = publish(
    {},
    {
      check: async () => ({ checkedAt: '', built: false, findings: [...found] }),
      fix: async (_, findings) => {
        expect(findings).toEqual([found[0]]);
        await write({ 'README.md': appFiles['README.md'] ?? '' });
        return ['README.md'];
      },
    },
  );
  await published;
  expect(said.log).toContain('README.md gets the tag by which the app store finds the app.');
  expect(hub.filesAt().get('README.md')?.toString()).toBe(appFiles['README.md']);
});

test('a dynamic version stays as the build computes it', async () => {
  const dynamic = appFiles['pyproject.toml']?.replace('version = "0.1.0"', 'dynamic = ["version"]') ?? '';
  await write({ 'pyproject.toml': dynamic });
  const { said, published } = publish();
  await published;
  expect(said.log).toEqual([WITHOUT_GIT, 'The version is dynamic: it stays as the build computes it.']);
  await write(edited);
  expect(await publish({}, { last: await published }).published).toMatchObject({ commit: hub.head });
  expect(await readFile(join(folder, 'pyproject.toml'), 'utf8')).toBe(dynamic);
});

test('one changed file is one file; what is left out is reported; the draft of an interrupted edit goes', async () => {
  const last = await publish().published;
  const draft = join(folder, '.pyproject.toml.unfinished');
  const pyproject = appFiles['pyproject.toml']?.replace('0.1.0', '0.2.0') ?? '';
  await write({ '.env': 'HF_TOKEN=x\n', 'pyproject.toml': pyproject, '.pyproject.toml.unfinished': '' });
  const { said, published } = publish({}, { last });
  expect(await published).toMatchObject({ version: '0.2.0' });
  expect(said.details).toEqual(['1 file']);
  expect(said.log).toEqual(['.env is left out: such files hold secrets.', WITHOUT_GIT]);
  await expect(readFile(draft)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('changes of others in the Space are overwritten only on request', async () => {
  const last = await publish().published;
  hub.add('by another', { 'wave/main.py': 'theirs\n' });
  await write(edited);
  const { said, published } = publish({}, { last });
  expect(await failure(published)).toEqual(new SpaceChangedElsewhere('ada/wave'));
  expect(said.steps).toEqual(['check', 'compare']);
  expect(await publish({ overwrite: true }, { last }).published).toMatchObject({ version: '0.1.1' });
  expect(hub.history).toEqual(['initial commit', 'Publish 0.1.0', 'by another', 'Publish 0.1.1']);
});

test('a commit that someone makes right after is reported, and is not taken for the published one', async () => {
  let ours = '';
  hub.beforeResolve = () => {
    if (!hub.calls.includes('commit') || ours !== '') return;
    ours = hub.head;
    hub.add('by another', { 'wave/main.py': 'theirs\n' });
  };
  const { said, published } = publish();
  expect(await published).toMatchObject({ commit: ours });
  expect(said.log).toEqual([WITHOUT_GIT, 'The Space has a newer commit already, which was made elsewhere.']);
});

test('a hub that does not tell the time of a Space, or does not have the one that it made, gives no valid answer', async () => {
  hub.updatedAt = null;
  const invalid = { kind: 'broken', message: expect.stringMatching(/^The answer could not be read\./) };
  expect(await failure(publish().published)).toMatchObject(invalid);
  hub.commits.length = 0;
  hub.createSpace = async () => {};
  const { said, published } = publish();
  expect(await failure(published)).toMatchObject(invalid);
  expect(said.steps).toEqual(['check', 'compare', 'space', 'upload']);
});

test('a version that cannot be written into the folder stops it before anything is sent', async () => {
  const last = await publish().published;
  await write({ 'pyproject.toml': Buffer.from(`${appFiles['pyproject.toml']}# caf\xe9\n`, 'latin1') });
  const error = await failure(publish({}, { last }).published);
  expect(error).toBeInstanceOf(NotPublishable);
  expect((error as NotPublishable).findings).toMatchObject([
    {
      ...{ id: 'unwritable', severity: 'problem', file: 'pyproject.toml', fixable: false, line: null },
      message: 'Its version cannot be raised: the file cannot be written.',
      action: 'Give your user the right to write in the folder, or raise the version yourself.',
    },
  ]);
  expect(hub.head).toBe(last.commit);
});
