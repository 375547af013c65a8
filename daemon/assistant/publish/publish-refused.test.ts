/** Previews and refusals, before anything is published. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PublishRequest } from '../../contract/apps/own-apps.ts';
import { HubError } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import { git } from '../../testing/fake-hub/repository/git.ts';
import { gitVariables } from '../../testing/publishing/git-variables.ts';
import { appFiles } from '../../testing/publishing/own-app.ts';
import { passingCheck } from '../../testing/publishing/passing-check.ts';
import { NotPublishable, TokenReadOnly } from '../errors.ts';
import { type PublishDeps, previewPublication, publishApp } from './publish-app.ts';

const HUB = 'https://hub.example';
const never = new AbortController().signal;
let folder: string;
let account = { name: 'ada', isReadOnly: false };
let tokens: string[];
let refusal: HubError;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'publish-refused-')));
  account = { name: 'ada', isReadOnly: false };
  tokens = [];
  refusal = new HubError('not-found', 'The hub has no such Space.');
  for (const [path, text] of Object.entries(appFiles)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A hub without Spaces, which takes none: what would be written fails the test. */
const emptyHub = {
  address: async () => HUB,
  whoAmI: async (token: string) => {
    tokens.push(token);
    return account;
  },
  resolve: () => Promise.reject(refusal),
} as unknown as HubClient;
const deps = (more: Partial<PublishDeps> = {}, hasGit = false): PublishDeps => ({
  ...{ hub: emptyHub, token: 'hf_ada', environment: () => gitVariables(hasGit), ...passingCheck },
  ...more,
});
function publish(given = deps(), choices: PublishRequest = {}) {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  return { said, published: publishApp(folder, choices, given, { signal: never, step: say, detail: say, log: say }) };
}
const preview = (given: Parameters<typeof previewPublication>[2] = deps(), choices: PublishRequest = {}) =>
  previewPublication(folder, choices, given, never);
const failure = (ended: Promise<unknown>) =>
  ended.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error as Error,
  );
const changes = Object.entries(appFiles)
  .map(([path, text]) => ({ path, change: 'added', bytes: Buffer.byteLength(text) }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));
const previewOfNew = {
  ...{ account: 'ada', id: 'ada/wave', url: `${HUB}/spaces/ada/wave`, changedElsewhere: false },
  ...{ exists: false, private: null, publishedVersion: null, nextVersion: '0.1.0', changes },
};

test('a preview tells what a publication would change, for the account of the token', async () => {
  expect(await preview()).toEqual(previewOfNew);
  expect(tokens).toEqual(['hf_ada']);
  expect(await preview(deps(), { version: '2.0.0' })).toMatchObject({ nextVersion: '2.0.0' });
});

test('a token that may only read publishes nothing; a preview may tell so beside the changes', async () => {
  account = { name: 'ann', isReadOnly: true };
  const { said, published } = publish();
  expect(await failure(published)).toEqual(new TokenReadOnly('ann'));
  expect(said).toEqual(['check']);
  expect(await failure(preview())).toEqual(new TokenReadOnly('ann'));
  const reported: string[] = [];
  const seen = await preview({ ...deps(), onReadOnlyToken: (name) => reported.push(name) });
  expect(seen).toMatchObject({ account: 'ann', id: 'ann/wave', changes });
  expect(reported).toEqual(['ann']);
});

test('an app with a problem is not published; what is only a warning does not matter', async () => {
  const found = (severity: 'problem' | 'warning') => [
    { id: 'x', severity, message: 'No run.', action: null, file: 'wave/main.py', line: 1, fixable: true },
  ];
  const checked = (severity: 'problem' | 'warning') =>
    deps({
      check: async () => ({ checkedAt: '', built: false, findings: found(severity) }),
      fix: () => expect.fail('nothing is to be repaired'),
    });
  const { said, published } = publish(checked('problem'));
  const refused = await failure(published);
  expect(refused).toEqual(new NotPublishable(found('problem')));
  expect(refused.message).toBe('The app cannot be published as it is. wave/main.py:1: No run.');
  expect(said).toEqual(['check']);
  const warned = publish(checked('warning'));
  await failure(warned.published); // the hub takes no Space
  expect(warned.said.slice(0, 3)).toEqual(['check', 'compare', 'space']);
});

test('a wanted version that is none, and a folder without an app, are refused with the reason', async () => {
  const message = '"next" is not a version of a Python package.';
  for (const begin of [
    () => publish(deps(), { version: 'next' }).published,
    () => preview(deps(), { version: 'next' }),
  ]) {
    expect(await failure(begin())).toMatchObject({ findings: [{ id: 'bad-version', message }] });
  }
  await rm(join(folder, 'pyproject.toml'));
  for (const begin of [() => publish().published, () => preview()]) {
    expect(await failure(begin())).toMatchObject({ findings: [{ id: 'no-pyproject', file: null }] });
  }
});

test.each([
  ['name = "wave"', 'name = "a--b"', 'bad-space-name'],
  ['version = "0.1.0"', 'version = 1', 'bad-pyproject'],
])('%s → %s', async (before, after, id) => {
  await writeFile(join(folder, 'pyproject.toml'), appFiles['pyproject.toml']?.replace(before, after) ?? '');
  for (const begin of [() => publish().published, () => preview()]) {
    expect(await failure(begin())).toMatchObject({ findings: [{ id }] });
  }
});

test('an app without the tag that the repair cannot add is not published', async () => {
  await writeFile(join(folder, 'README.md'), '---\ntitle: Wave\n---\n');
  const { said, published } = publish();
  expect(await failure(published)).toMatchObject({ findings: [{ id: 'no-tag', file: 'README.md' }] });
  expect(said).toEqual(['check']);
});

test('a repository that git cannot read is a problem of the app, with the words of git', async () => {
  await git(folder, ['init', '--quiet']);
  await writeFile(join(folder, '.git', 'index'), 'damaged');
  for (const begin of [() => publish(deps({}, true)).published, () => preview(deps({}, true))]) {
    const error = await failure(begin());
    expect(error).toBeInstanceOf(NotPublishable);
    const [finding] = (error as NotPublishable).findings;
    expect(finding?.message).toMatch(/^Git cannot read the folder: (?:fatal|error): .*index/);
    expect(finding).toMatchObject({
      id: 'git-failed',
      action: 'Repair its repository; "git status" shows the problem.',
    });
  }
});

test('a failure of the hub is passed on', async () => {
  refusal = new HubError('unreachable', 'The hub cannot be reached.');
  expect(await failure(preview())).toBe(refusal);
  expect(await failure(publish().published)).toBe(refusal);
});
