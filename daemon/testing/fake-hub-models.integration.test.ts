/** Checks the fake hub's models with the real hub's JavaScript client. */
import { createHash, randomBytes } from 'node:crypto';
import { downloadFile, fileDownloadInfo, HubApiError, listFiles, modelInfo } from '@huggingface/hub';
import { expect, test } from 'vitest';
import { startFakeHub } from './fake-hub.ts';

const weights = randomBytes(300_000);
const sha256 = createHash('sha256').update(weights).digest('hex');
const repo = { type: 'model', name: 'ada/tiny-gguf' } as const;
const files = { 'README.md': '---\npipeline_tag: text-generation\n---\n', 'q4/tiny.gguf': { lfs: weights } };

const statusOf = (error: unknown) => (error instanceof HubApiError ? error.statusCode : error);

test('the JavaScript client resolves a model, lists its files, and reads a part of one', async () => {
  await using hub = await startFakeHub();
  const at = { hubUrl: hub.url };
  const first = await hub.addModel({ id: repo.name, files, likes: 2 });
  await hub.addSpace({ id: repo.name, files: { 'app.py': '1' } }); // another kind has its own names
  const second = await hub.commit(repo.name, { 'notes.txt': 'n' }, 'model');

  const info = (more: object = {}) => modelInfo({ ...at, name: repo.name, additionalFields: ['sha'], ...more });
  expect(await info()).toMatchObject({
    name: repo.name,
    sha: second.sha,
    task: 'text-generation',
    gated: false,
    private: false,
    likes: 2,
  });
  expect((await info({ revision: first.sha })).sha).toBe(first.sha);
  await expect(info({ revision: 'gone' }).catch(statusOf)).resolves.toBe(404);

  const listed = [];
  for await (const { path, size, lfs } of listFiles({ ...at, repo, revision: first.sha, recursive: true })) {
    listed.push([path, size, lfs?.oid ?? null]);
  }
  expect(listed).toEqual([
    ['.gitattributes', expect.any(Number), null],
    ['README.md', files['README.md'].length, null],
    ['q4', 0, null],
    ['q4/tiny.gguf', weights.length, sha256],
  ]);

  const path = 'q4/tiny.gguf';
  expect(await fileDownloadInfo({ ...at, repo, path })).toMatchObject({ size: weights.length, etag: `"${sha256}"` });
  const part = (await downloadFile({ ...at, repo, path, xet: false }))?.slice(100_000);
  expect(Buffer.from((await part?.arrayBuffer()) as ArrayBuffer).equals(weights.subarray(100_000))).toBe(true);
  expect(hub.requests.at(-1)).toMatchObject({ range: 'bytes=100000-299999', authorization: null });
  hub.misbehave({ ignoreRange: true });
  expect((await part?.arrayBuffer())?.byteLength).toBe(weights.length);
});

test('the files of a restricted model are for the accounts with access, its description for all', async () => {
  await using hub = await startFakeHub();
  hub.addToken('hf_ada', { name: 'ada', role: 'read' });
  hub.addToken('hf_eve', { name: 'eve', role: 'read' });
  await hub.addModel({ id: repo.name, files, gatedTo: ['ada'] });
  const refused = (more: object) =>
    downloadFile({ hubUrl: hub.url, repo, path: 'q4/tiny.gguf', ...more }).then(() => 'allowed', statusOf);
  expect((await modelInfo({ hubUrl: hub.url, name: repo.name })).gated).toBe('manual');
  expect([
    await refused({}),
    await refused({ accessToken: 'hf_eve' }),
    await refused({ accessToken: 'hf_ada' }),
  ]).toEqual([401, 403, 'allowed']);
});
