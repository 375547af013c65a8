/** Commits made with real git, beside whatever the author is doing in the same repository. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { git as runGit } from '../../testing/fake-hub/repository/git.ts';
import { gitVariables } from '../../testing/publishing/git-variables.ts';
import { commitChanges } from './commit-changes.ts';
import type { Change, LocalFile } from './compare.ts';
import { type Git, gitIn } from './git-command.ts';

let root: string;
let git: Git;
let parent: string;
const folder = () => join(root, 'app');
/** The author's own git. */
const author = async (...args: string[]) =>
  (await runGit(folder(), ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args])).toString().trim();
const account = { name: 'ada', email: 'ada@users.noreply.hub.example' };
const byAccount = 'ada <ada@users.noreply.hub.example>';
const firstFiles = {
  'README.md': '# Wave\n',
  'old.py': 'old\n',
  'wave/main.py': 'print("wave")\n',
  '.gitattributes': '*.txt text eol=lf\n',
};

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder(), path)), { recursive: true });
    await writeFile(join(folder(), path), text);
  }
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'commit-changes-')));
  await mkdir(folder());
  await mkdir(join(root, 'scratch'));
  git = gitIn(folder(), gitVariables(), new AbortController().signal);
  await author('init', '--quiet', '--initial-branch=main');
  await write(firstFiles);
  await author('add', '--all');
  await author('commit', '--quiet', '-m', 'First');
  parent = await author('rev-parse', 'HEAD');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const added = (path: string, text: string | null, more: Partial<LocalFile> = {}): Change => {
  const content = text === null ? { file: join(folder(), path) } : new TextEncoder().encode(text);
  const local: LocalFile = { path, bytes: text?.length ?? 0, isExecutable: false, content, ...more };
  return { change: 'added', path, bytes: local.bytes, local };
};
const removed = (path: string): Change => ({ change: 'removed', path, bytes: 1, local: null });
const commit = (changes: readonly Change[], by: Git = git, on = parent) =>
  commitChanges(by, { parent: on, changes, title: 'Publish 1.0.0', author: account, scratch: join(root, 'scratch') });
/** A file as git lists it. */
const listed = (text: string, mode = 100644) =>
  `${mode} ${createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')}`;
async function filesIn(id: string): Promise<Record<string, string>> {
  const lines = (await author('ls-tree', '-r', id)).split('\n');
  return Object.fromEntries(
    lines.map((line) => /^(.+)\t(.+)$/.exec(line.replace(' blob ', ' '))?.slice(1).reverse() ?? []),
  );
}
const first = Object.fromEntries(Object.entries(firstFiles).map(([path, text]) => [path, listed(text)]));

test('a commit has what was added, changed and removed, with the modes, and continues its parent', async () => {
  await write({ 'wave/new file.py': 'new\n', 'run.sh': 'run\n' });
  const id = await commit([
    added('README.md', '# Wave 2\n'),
    removed('old.py'),
    added('run.sh', null, { isExecutable: true }),
    added('wave/new file.py', null),
  ]);
  const { 'old.py': _, ...stayed } = first;
  expect(await filesIn(id)).toEqual({
    ...stayed,
    'README.md': listed('# Wave 2\n'),
    'run.sh': listed('run\n', 100755),
    'wave/new file.py': listed('new\n'),
  });
  expect(await author('log', '-1', '--format=%P|%s|%b|%an <%ae>|%cn <%ce>', id)).toBe(
    `${parent}|Publish 1.0.0||${byAccount}|${byAccount}`,
  );
});

test("the author's branch, index and files stay as they are", async () => {
  await write({ 'staged.py': 'staged\n', 'wave/main.py': 'half done\n' });
  await author('add', 'staged.py');
  const before = await author('status', '--porcelain', '--branch');
  await commit([added('README.md', 'published\n'), removed('old.py')]);
  expect(await author('status', '--porcelain', '--branch')).toEqual(before);
  expect(await author('rev-parse', 'HEAD')).toBe(parent);
  expect(await readFile(join(folder(), 'README.md'), 'utf8')).toBe('# Wave\n');
});

test('contents are stored as they are, whatever filters the repository has', async () => {
  await write({ 'dos.txt': 'a\r\nb\r\n' });
  const id = await commit([added('dos.txt', null), added('given.txt', 'c\r\n')]);
  for (const [path, bytes] of [
    ['dos.txt', 6],
    ['given.txt', 3],
  ] as const)
    expect(await author('cat-file', '-s', `${id}:${path}`)).toBe(`${bytes}`);
});

test('a file can take the place of a folder, and a folder that of a file', async () => {
  const id = await commit([added('old.py/__init__.py', 'a\n'), added('wave', 'b\n')]);
  const { 'old.py': _, 'wave/main.py': __, ...stayed } = first;
  expect(await filesIn(id)).toEqual({ ...stayed, 'old.py/__init__.py': listed('a\n'), wave: listed('b\n') });
});

test('without changes it has the files of its parent, and the index of an interrupted one is not used', async () => {
  await writeFile(join(root, 'scratch', 'index'), 'damaged');
  const id = await commit([]);
  expect(await filesIn(id)).toEqual(first);
  expect(id).not.toBe(parent);
});

test('any number of files is committed and removed, with arguments that every system takes', async () => {
  const lengths: number[] = [];
  const measured: Git = (args, how) => {
    lengths.push(args.join(' ').length);
    return git(args, how);
  };
  const paths = Array.from({ length: 80 }, (_, at) => `data/${'long-name-'.repeat(10)}${at}.json`);
  const all = Object.fromEntries(paths.map((path, at) => [path, listed(`${at}\n`)]));
  const full = await commit(
    paths.map((path, at) => added(path, `${at}\n`)),
    measured,
  );
  expect(await filesIn(full)).toEqual({ ...first, ...all });
  const [kept = '', ...gone] = paths;
  const emptied = await commit(gone.map(removed), measured, full);
  expect(await filesIn(emptied)).toEqual({ ...first, [kept]: listed('0\n') });
  expect(Math.max(...lengths)).toBeLessThan(8_000);
  // One call for each of the files would take long.
  expect(lengths.length).toBeLessThan(30);
});

/** Git that prints what a test says for some of its commands. */
const printing =
  (output: Readonly<Record<string, readonly string[]>>): Git =>
  async ([command = '']) => [...(output[command] ?? [])];
const id = 'a'.repeat(40);

test('what git says beside the ids is left out', async () => {
  const noise = 'warning: unable to access the configuration';
  const by = printing({ 'hash-object': [noise, id], 'write-tree': [noise, id], 'commit-tree': [noise, id, noise] });
  expect(await commit([added('README.md', 'x')], by)).toBe(id);
});

test('a file that git did not store, or a tree or commit without id, is a failure', async () => {
  const two = [added('a.py', 'a'), added('b.py', 'b')];
  const stored = { 'hash-object': [id, id], 'write-tree': [id], 'commit-tree': [id] };
  expect(await commit(two, printing(stored))).toBe(id);
  await expect(commit(two, printing({ ...stored, 'hash-object': [id] }))).rejects.toThrow('git stored 1 of 2 files');
  for (const command of ['write-tree', 'commit-tree']) {
    await expect(commit(two, printing({ ...stored, [command]: ['fatal'] }))).rejects.toThrow(
      'git printed no object id',
    );
  }
});

test.each<[string, boolean, readonly string[]]>([
  ['names no one', true, []],
  ['has only a name', true, ['user.name']],
  ['has only an address', true, ['user.email']],
  ['names the author', false, ['user.name', 'user.email']],
])("where the configuration %s, git gets the account's name: %s", async (_, isGiven, known) => {
  const envs: unknown[] = [];
  const by: Git = async (args, how) => {
    if (args[0] === 'commit-tree') envs.push(how?.env);
    if (args[0] === 'config' && !known.includes(args.at(-1) ?? '')) throw new CommandFailed('git', '', 1, false, []);
    return [id];
  };
  await commit([], by);
  const { name, email } = account;
  const identity = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
  expect(envs).toEqual([isGiven ? identity : {}]);
});
