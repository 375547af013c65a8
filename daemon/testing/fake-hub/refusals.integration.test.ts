/** Requests that the hub refuses or loses, as the stock clients see them: git, and the hub's JavaScript library. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commit, createRepo, HubApiError, listFiles, spaceInfo, uploadFiles } from '@huggingface/hub';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { type FakeHub, startFakeHub } from '../fake-hub.ts';
import { gitEnvironment } from './repository/git.ts';

const wave = { type: 'space', name: 'ada/wave' } as const;
let hub: FakeHub;
let folder: string;
beforeEach(async () => {
  hub = await startFakeHub();
  hub.addToken('hf_ada', { name: 'ada', role: 'write' });
  hub.addToken('hf_reader', { name: 'ada', role: 'read' });
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const as = (accessToken: string) => ({ hubUrl: hub.url, accessToken });
const asAda = () => as('hf_ada');
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof HubApiError ? error.statusCode : String(error)),
  );
const upload = (path: string, content: string | Uint8Array<ArrayBuffer>, parentCommit?: string) =>
  commit({
    ...asAda(),
    repo: wave,
    title: 'Add',
    operations: [{ operation: 'addOrUpdate', path, content: new Blob([content]) }],
    ...(parentCommit !== undefined && { parentCommit }),
    useXet: false,
  });

async function git(...args: string[]): Promise<string> {
  const options = { env: gitEnvironment, cwd: folder, deadlineMs: 20_000 };
  return (await runCommand('git', args, options).catch(({ lines }: CommandFailed) => lines)).join('\n');
}

test('a push with a large or a binary file is refused as a whole, with the reason', async () => {
  await createRepo({ ...asAda(), repo: wave, sdk: 'static' });
  const address = `${hub.url.replace('//', '//ada:hf_ada@')}/spaces/ada/wave`;
  await git('clone', '-q', address, '.');
  const { sha } = await spaceInfo({ ...asAda(), name: 'ada/wave', additionalFields: ['sha'] });
  const push = async (name: string, content: Uint8Array | string) => {
    await git('reset', '-q', '--hard', 'origin/main');
    await writeFile(join(folder, 'text.txt'), name);
    await writeFile(join(folder, name), content);
    await git('add', '-A');
    await git('-c', 'user.name=Ada', '-c', 'user.email=ada@hub.invalid', 'commit', '-qm', name);
    return git('push', 'origin', 'main');
  };
  expect(await push('icon.png', Uint8Array.from([1, 0, 2]))).toMatch(
    /remote: Your push was rejected because it contains binary files[\s\S]*icon\.png[\s\S]*\[remote rejected\]/,
  );
  expect(await push('a large.txt', 'a'.repeat(10 * 1024 ** 2 + 1))).toMatch(
    /remote: Your push was rejected because it contains files larger than 10 MiB[\s\S]*a large\.txt/,
  );
  expect((await spaceInfo({ ...asAda(), name: 'ada/wave', additionalFields: ['sha'] })).sha).toBe(sha);
  expect(await push('small.txt', 'a'.repeat(10 * 1024 ** 2))).toContain('main -> main');
});

test('the JavaScript client stores a small binary file as a large one', async () => {
  await createRepo({ ...asAda(), repo: wave, sdk: 'static' });
  await uploadFiles({
    ...asAda(),
    repo: wave,
    files: [{ path: 'icon.png', content: new Blob([Uint8Array.from([1, 0])]) }],
    useXet: false,
  });
  const found: (number | undefined)[] = [];
  for await (const { path, lfs } of listFiles({ ...asAda(), repo: wave }))
    if (path === 'icon.png') found.push(lfs?.size);
  expect(found).toEqual([2]);
});

test('a commit on an older one, a token that may only read and a full account are refused', async () => {
  await createRepo({ ...asAda(), repo: wave, sdk: 'static', visibility: 'private' });
  const { sha } = await spaceInfo({ ...asAda(), name: 'ada/wave', additionalFields: ['sha'] });
  expect(await refusal(upload('one.txt', '1', sha))).toBe('accepted');
  expect(await refusal(upload('two.txt', '2', sha))).toBe(412);
  expect(
    await refusal(createRepo({ ...as('hf_reader'), repo: { type: 'space', name: 'ada/other' }, sdk: 'static' })),
  ).toBe(403);
  hub.addToken('hf_ada', { name: 'ada', role: 'write', quotaBytes: 10 });
  expect(await refusal(upload('small.txt', '0123456789'))).toBe('accepted');
  expect(await refusal(upload('text.txt', '0123456789+'))).toBe(403);
  expect(await refusal(upload('icon.png', new Uint8Array(11)))).toBe(403);
});

test('an answer is lost only after the work is done; a misbehaviour can end by itself', async () => {
  hub.misbehave({ loseAnswer: true, times: 1 });
  expect(await refusal(createRepo({ ...asAda(), repo: wave, sdk: 'static' }))).toMatch(/fetch failed/);
  expect(await refusal(createRepo({ ...asAda(), repo: wave, sdk: 'static' }))).toBe(409);
});
