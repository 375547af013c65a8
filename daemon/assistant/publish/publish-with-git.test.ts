/** A publication by real git, to a hub whose Space is a repository in a folder. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HubError } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { HubFile } from '../../hub/repository-files.ts';
import { git as runGit } from '../../testing/fake-hub/repository/git.ts';
import { gitVariables } from '../../testing/publishing/git-variables.ts';
import { appFiles } from '../../testing/publishing/own-app.ts';
import { passingCheck } from '../../testing/publishing/passing-check.ts';
import { publishApp } from './publish-app.ts';

let root: string;
const folder = () => join(root, 'wave');
const space = () => join(root, 'hub', 'spaces', 'ada', 'wave');
const hubUrl = () => `file://${join(root, 'hub')}`;
const gitIn = async (dir: string, ...args: string[]) =>
  (await runGit(dir, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args])).toString().trim();
const git = (...args: string[]) => gitIn(folder(), ...args);
const newest = () => gitIn(space(), 'rev-parse', 'main');

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'publish-with-git-')));
  for (const [path, text] of Object.entries(appFiles)) {
    await mkdir(dirname(join(folder(), path)), { recursive: true });
    await writeFile(join(folder(), path), text);
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Git reaches its Spaces as files; it takes no commits by another way. */
const hub = {
  address: async () => hubUrl(),
  whoAmI: async () => ({ name: 'ada', isReadOnly: false }),
  createSpace: async () => {
    await mkdir(space(), { recursive: true });
    await gitIn(space(), 'init', '--quiet', '--initial-branch=main');
    await gitIn(space(), 'config', 'receive.denyCurrentBranch', 'ignore');
    await gitIn(space(), 'commit', '--quiet', '--allow-empty', '--message', 'initial commit');
  },
  resolve: async (id: string) => {
    const commit = await newest().catch(() => {
      throw new HubError('not-found', `The hub has no Space ${id}.`);
    });
    return { commit, private: true, updatedAt: '2026-01-02T03:04:05.000Z' };
  },
  files: async (_repository: unknown, commit: string): Promise<HubFile[]> => {
    const lines = (await gitIn(space(), 'ls-tree', '-r', '--long', commit)).split('\n').filter((line) => line !== '');
    return lines.map((line) => {
      const [, oid = '', size, path = ''] = /^\d+ blob (\w+) +(\d+)\t(.+)$/.exec(line) ?? [];
      return { path, size: Number(size), sha256: null, oid };
    });
  },
  readFile: (_repository: unknown, commit: string, path: string) => gitIn(space(), 'show', `${commit}:${path}`),
} as unknown as HubClient;

async function publish() {
  const log: string[] = [];
  const deps = { hub, token: 'hf_ada', environment: () => gitVariables(), ...passingCheck };
  const progress = { signal: new AbortController().signal, step: () => {}, detail: () => {} };
  const published = await publishApp(folder(), {}, deps, { ...progress, log: (line) => log.push(line) });
  return { published, log };
}

test("the folder becomes a repository whose branch follows the Space's, but not over the author's own commits", async () => {
  const first = await publish();
  expect(first.published).toMatchObject({ version: '0.1.0', commit: await newest(), hasRemote: true });
  expect(first.log).toEqual(['The folder becomes a Git repository, with the Space as its remote "space".']);
  expect(await git('log', '--format=%s')).toBe('Publish 0.1.0\ninitial commit');
  expect(await git('status', '--porcelain', '--branch')).toBe('## main');
  expect(await git('config', 'remote.space.url')).toBe(`${hubUrl()}/spaces/ada/wave`);

  await writeFile(join(folder(), 'wave', 'main.py'), 'class Wave: ...\n');
  await git('commit', '--quiet', '--all', '--message', 'Mine');
  const second = await publish();
  expect(second.published).toMatchObject({ version: '0.1.1', commit: await newest(), hasRemote: true });
  expect(second.log).toEqual([
    'The version in pyproject.toml becomes 0.1.1.',
    'The new version in pyproject.toml is not committed on your branch.',
  ]);
  expect(await git('log', '-1', '--format=%s')).toBe('Mine');
  expect(await gitIn(space(), 'log', '--format=%s', 'main')).toBe('Publish 0.1.1\nPublish 0.1.0\ninitial commit');
});
