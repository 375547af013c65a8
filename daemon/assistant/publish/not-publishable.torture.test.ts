/** Folders that a publication refuses, before anything is on the hub. */
import { chmod, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { hubClient } from '../../testing/publishing/hub-client.ts';
import { appFiles, type OwnAppFolder, ownAppFolder, TOKEN } from '../../testing/publishing/own-app.ts';
import { NotPublishable, TokenReadOnly } from './space/errors.ts';

let hub: FakeHub;
const never = new AbortController().signal;
const KEY = ['hf', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3h'].join('_');
beforeEach(async () => {
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
});
afterEach(() => hub[Symbol.asyncDispose]());

/** The places and ids of what prevents the publication; nothing may be on the hub. */
async function problemsOf(app: OwnAppFolder): Promise<(string | number | null)[][]> {
  const error = await app.publish().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotPublishable);
  expect(hub.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  return (error as NotPublishable).findings.map(({ id, file, line }) => [id, file, line]);
}

test.each([
  ['with git', true],
  ['without git', false],
])('secrets, links and other repositories are refused with their place, %s', async (_, hasGit) => {
  await using app = await ownAppFolder(hub, { hasGit });
  if (hasGit) await app.git('init', '-q');
  await app.write({
    'wave/config.py': `# settings\n\nTOKEN = "${KEY}"\n`,
    'wave/own.txt': `token: ${TOKEN}`,
    'inner/.git/HEAD': 'ref: refs/heads/main\n',
    'inner/.git/objects/x': '',
    'inner/.git/refs/x': '',
    'inner/file.txt': '',
  });
  await symlink('main.py', join(app.folder, 'wave', 'link.py'));
  expect(new Set((await problemsOf(app)).map((problem) => problem.join(' ')))).toEqual(
    new Set(['other-repository inner ', 'secret wave/config.py 3', 'link wave/link.py ', 'secret wave/own.txt 1']),
  );
});

test.each([
  ['with git', true],
  ['without git', false],
])('settings with secrets, environments and caches are left out, and it is said, %s', async (_, hasGit) => {
  await using app = await ownAppFolder(hub, { hasGit });
  if (hasGit) await app.git('init', '-q');
  await app.write({
    '.env': `TOKEN=${KEY}`,
    '.env.example': 'TOKEN=',
    'my-env/pyvenv.cfg': 'home = /usr/bin\n',
    'my-env/lib/x.py': '',
    '.venv/pyvenv.cfg': '',
    'wave/.gitignore': '*\n!.gitignore\n!*.py\n!kept.txt\n',
    'wave/kept.txt': '',
    'wave/dropped.txt': '',
    'wave/__pycache__/main.cpython-311.pyc': '',
    'notes/.gitignore': 'private/\n!/shown.log\n',
    'notes/private/diary.txt': '',
    'notes/shown.log': '',
    'wave.egg-info/PKG-INFO': '',
    '.DS_Store': '',
  });
  const paths = (await app.preview()).changes.map(({ path }) => path);
  expect(paths).toEqual(
    [
      ...Object.keys(appFiles),
      '.env.example',
      'notes/.gitignore',
      'notes/shown.log',
      'wave/.gitignore',
      'wave/kept.txt',
    ].sort(),
  );
  await app.publish();
  expect(app.log).toEqual(
    expect.arrayContaining([
      '.env is left out: such files hold secrets.',
      'my-env is left out: a virtual environment.',
    ]),
  );
});

test('a token that may only read is refused with what to do', async () => {
  hub.addToken('hf_reader', { name: 'ada', role: 'read' });
  await using app = await ownAppFolder(hub);
  const reader = { hub: hubClient(hub.url, 'hf_reader'), token: 'hf_reader' };
  const error = await app.publish({}, reader).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(TokenReadOnly);
  expect((error as Error).message).toMatch(/write permission/);
  await expect(app.preview({}, reader)).rejects.toThrow(TokenReadOnly);
});

test('problems of the check are told, and nothing is repaired for them', async () => {
  await using app = await ownAppFolder(hub);
  const finding = {
    id: 'no-run',
    severity: 'problem',
    message: 'No run.',
    action: null,
    file: 'wave/main.py',
    line: 1,
    fixable: true,
  } as const;
  const check = async () => ({ checkedAt: new Date(0).toISOString(), built: false, findings: [finding] });
  const error = await app.publish({}, { check }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    findings: [finding],
    message: 'The app cannot be published as it is. wave/main.py:1: No run.',
  });
});

test('the tag is added to the README by the check’s own repair', async () => {
  await using app = await ownAppFolder(hub);
  await app.write({ 'README.md': '---\ntitle: Wave\n---\n' });
  expect(await problemsOf(app)).toEqual([['no-tag', 'README.md', null]]);
  const finding = {
    id: 'no-tag',
    severity: 'warning',
    message: '',
    action: null,
    file: 'README.md',
    line: 1,
    fixable: true,
  } as const;
  const check = async () => ({ checkedAt: new Date(0).toISOString(), built: false, findings: [finding] });
  const fix = async () => {
    await app.write({ 'README.md': appFiles['README.md'] ?? '' });
    return ['README.md'];
  };
  await app.publish({}, { check, fix });
  const { tags } = await hubClient(hub.url, TOKEN).resolve('ada/wave', null, never);
  expect(tags).toContain('robot_python_app');
});

test.each([
  ['name = "wave"', 'name = "a--b"', 'bad-space-name'],
  ['version = "0.1.0"', 'version = 1', 'bad-pyproject'],
])('%s → %s', async (before, after, id) => {
  await using app = await ownAppFolder(hub);
  await app.write({ 'pyproject.toml': appFiles['pyproject.toml']?.replace(before, after) ?? '' });
  expect((await problemsOf(app)).map(([found]) => found)).toEqual([id]);
});

test('a wished version must be one, and newer than the published one', async () => {
  await using app = await ownAppFolder(hub);
  const versionProblem = async (version: string) =>
    app.publish({ version }).then(
      () => 'published',
      (error: NotPublishable) => error.findings.map(({ message }) => message).join(),
    );
  expect(await versionProblem('new')).toBe('"new" is not a version of a Python package.');
  expect(await versionProblem('0.3.0')).toBe('published');
  expect(await readFile(join(app.folder, 'pyproject.toml'), 'utf8')).toContain('version = "0.3.0"');
  expect(await versionProblem('0.2.0')).toBe('The Space has version 0.3.0, which is newer than 0.2.0.');
  expect(await versionProblem('0.3.0')).toBe('published');
  expect(await versionProblem('0.4.0')).toBe('published');
  expect(await hub.history('ada/wave')).toEqual(['Publish 0.4.0', 'Publish 0.3.0', 'initial commit']);
});

test('a version that the build computes stays, and the files are published', async () => {
  await using app = await ownAppFolder(hub);
  const dynamic = appFiles['pyproject.toml']?.replace('version = "0.1.0"', 'dynamic = ["version"]') ?? '';
  await app.write({ 'pyproject.toml': dynamic });
  await app.publish();
  await app.write({ 'wave/new.py': '' });
  await app.publish();
  expect(await readFile(join(app.folder, 'pyproject.toml'), 'utf8')).toBe(dynamic);
  expect(app.log).toContain('The version is dynamic: it stays as the build computes it.');
  expect(await hub.history('ada/wave')).toHaveLength(3);
});

test('line ends, comments and rights of pyproject.toml stay when the version is raised', async () => {
  await using app = await ownAppFolder(hub);
  const text = `${appFiles['pyproject.toml']?.replace('"0.1.0"', "'0.1.0' # ours")}`.replaceAll('\n', '\r\n');
  await app.write({ 'pyproject.toml': text });
  await app.publish();
  await chmod(join(app.folder, 'pyproject.toml'), 0o640);
  await app.write({ 'wave/new.py': '' });
  await app.publish();
  expect(await readFile(join(app.folder, 'pyproject.toml'), 'utf8')).toBe(text.replace('0.1.0', '0.1.1'));
});
