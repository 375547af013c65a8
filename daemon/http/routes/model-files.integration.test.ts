/** Model files over real HTTP, in the data folder of a real daemon. */
import { rm, truncate, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { endpointApi } from '../../testing/daemon/endpoint-api.ts';
import { startFakeHub } from '../../testing/fake-hub.ts';
import { modelFilesIn } from '../../testing/models/model-files-in.ts';
import { tinyGguf, writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

const api = endpointApi();
const FILES = '/api/model-files';
const repository = 'ada/tiny-gguf';
let location: string;

beforeAll(async () => {
  await using hub = await startFakeHub();
  await hub.addModel({ id: repository, files: { 'tiny.gguf': { lfs: tinyGguf() } } });
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const wanted = { repository, revision: null, model: 'tiny.gguf', mmproj: null, draft: null };
  location = (await modelFilesIn(join(api.dataDir, 'models'), hub.url).ensure(wanted, options)).modelPath;
});

test('a file is listed with the endpoints that use it, and removed once there are none', async () => {
  await api.made({
    model: { repository, framework: 'llamacpp', image: { llamacpp: { url: 'x', modelPath: '/repository/tiny.gguf' } } },
  });
  const [file] = (await api.ask('GET', FILES)).body;
  expect(file).toEqual({
    id: expect.any(String),
    repository,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    path: 'tiny.gguf',
    location,
    bytes: tinyGguf().length,
    totalBytes: tinyGguf().length,
    state: 'complete',
    lastUsedAt: '2026-11-22T12:00:00.000Z',
    users: ['chat'],
  });
  expect(await api.ask('DELETE', `${FILES}/${file.id}`)).toMatchObject({
    status: 409,
    body: { error: 'tiny.gguf cannot be removed. The endpoint "chat" uses it: delete the endpoint first.' },
  });
  await api.ask('DELETE', '/v2/endpoint/lab/chat');
  expect(await api.ask('DELETE', `${FILES}/${file.id}`, { token: null })).toMatchObject({ status: 401 });
  expect(await api.ask('DELETE', `${FILES}/${file.id}`)).toMatchObject({
    status: 200,
    body: { id: file.id, users: [] },
  });
  expect(await api.ask('DELETE', `${FILES}/${file.id}`)).toMatchObject({ status: 404 });
  expect((await api.ask('GET', FILES)).body).toEqual([]);
});

test("a user's own file is checked, and its facts are read", async () => {
  const check = (path: string) => api.post(`${FILES}/check`, { body: { path } });
  const own = writeTinyGguf(join(api.dataDir, 'own.gguf'), { name: 'mine' });
  expect(await check(own)).toMatchObject({
    status: 200,
    body: { architecture: 'llama', name: 'mine', contextLength: 512, hasChatTemplate: true },
  });
  await truncate(own, 200);
  expect(await check(own)).toMatchObject({
    status: 422,
    body: { error: expect.stringMatching(/^own\.gguf is cut off: .* Download it again\.$/) },
  });
  await writeFile(own, '<html>');
  expect(await check(own)).toMatchObject({ status: 422, body: { error: expect.stringContaining('is a web page') } });
  await rm(own);
  expect(await check(own)).toMatchObject({ status: 404 });
  expect(await check('own.gguf')).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^Write the full path, such as \/.+\.gguf\.$/), issues: [{ path: ['path'] }] },
  });
  expect(await check('~/own.gguf')).toMatchObject({
    status: 400,
    body: { error: `Write the full path, here ${join(homedir(), 'own.gguf')}.` },
  });
  expect(await api.post(`${FILES}/check`, { body: { path: own }, token: null })).toMatchObject({ status: 401 });
});
