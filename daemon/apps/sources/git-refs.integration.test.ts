/** Branches, tags and folders of real repositories with unusual names and links. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../shared/processes/run-command.ts';
import { git, gitEnvironment } from '../../testing/fake-hub/repository/git.ts';
import type { RunStep } from '../python/python-env.ts';
import { gitFor } from './git.ts';
import { latestCommit, treeOf } from './git-repository.ts';

let dir: string;
let url: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'robot-desktop-git-refs-'));
  url = pathToFileURL(dir).href;
  await inGit(['init', '--quiet', '--initial-branch=main']);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const run: RunStep = (file, args, more) => runCommand(file, args, { env: gitEnvironment, deadlineMs: 30_000, ...more });
const inGit = async (args: string[], input = '') =>
  String(await git(dir, ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], input)).trim();
const commitOf = (tree: string, message: string) => inGit(['commit-tree', tree, '-m', message]);

test("branches whose names only end like the app's are not its branch", async () => {
  const tree = await inGit(['mktree']);
  const [main, other] = [await commitOf(tree, 'main'), await commitOf(tree, 'other')];
  const refs = { 'refs/heads/main': main, 'refs/tags/v1': main };
  const likes = ['refs/remotes/origin/HEAD', 'refs/pull/refs/heads/main', 'refs/tags/x/refs/tags/v1'];
  for (const [name, commit] of Object.entries(refs)) await inGit(['update-ref', name, commit]);
  for (const name of likes) await inGit(['update-ref', name, other]);
  for (const revision of [null, 'main', 'v1']) expect(await latestCommit({ url, revision, run })).toBe(main);
  expect(await latestCommit({ url, revision: 'x', run })).toBeNull();
});

test('git maps only a small part of a large pack, which counts as its memory on macOS', async () => {
  const lines = await gitFor(url, run)(['-C', dir, 'config', '--get-regexp', '^core\\.packedgit']);
  expect(lines).toEqual(['core.packedgitwindowsize 16m', 'core.packedgitlimit 64m']);
});

test('the tree of a folder is known, that of a path over a link is not', async () => {
  const blob = await inGit(['hash-object', '-w', '--stdin'], 'v2');
  const app = await inGit(['mktree'], `100644 blob ${blob}\tpyproject.toml\n`);
  const v2 = await inGit(['mktree'], `040000 tree ${app}\tapp\n`);
  const top = await inGit(['mktree'], `120000 blob ${blob}\tlatest\n040000 tree ${v2}\tv2\n`);
  await inGit(['update-ref', 'refs/heads/main', await commitOf(top, 'linked')]);
  const treeAt = (folder: string) => treeOf(gitFor(url, run), dir, 'HEAD', folder);
  expect(await treeAt('v2/app')).toBe(app);
  for (const folder of ['latest/app', 'latest', 'V2/app', 'v2/app/pyproject.toml']) {
    expect(await treeAt(folder), folder).toBeUndefined();
  }
});
