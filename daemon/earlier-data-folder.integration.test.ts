/** A data folder of version 0.1.0 opens in this version with all its contents. */
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessTokens } from './access/access-tokens.ts';
import { systemNow } from './shared/clock.ts';
import { dataPaths } from './shared/files/data-paths.ts';
import { keyFileSecretStore } from './shared/files/key-file-secret-store.ts';
import { createLogger } from './shared/logger.ts';
import { newDataDir, projectDir, startTestDaemon, type TestDaemon } from './testing/daemon/test-daemon.ts';

/** A token created by that version; the folder holds its hash. */
const TOKEN = 'rd_4B8cbTCVWfIu-cVooPgbPvIAaGDwuWEBwKAsh3pluKs';

let dataDir: string;
let daemon: TestDaemon;

beforeAll(async () => {
  dataDir = await newDataDir();
  await cp(join(projectDir, 'daemon', 'testing', 'data-folders', '0.1.0'), dataDir, { recursive: true });
  daemon = await startTestDaemon({ dataDir });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

const decrypt = (sealed: string) => keyFileSecretStore(dataPaths(dataDir).secretKeyFile).decrypt(sealed);
const readJson = async (path: string) => JSON.parse(await readFile(join(dataDir, path), 'utf8'));

test('apps, their versions, variables and the startup app', async () => {
  expect(await daemon.installed()).toMatchObject([
    {
      name: 'hello_wave',
      title: 'Hello wave',
      source: { kind: 'sample', sample: 'hello_wave' },
      pinned: true,
      previous: { version: '1.0.0' },
    },
  ]);
  expect(await daemon.traces()).toEqual(['hello-wave', 'hello-wave/b1fdd2a17911', 'hello-wave/c2602ee14b11']);
  expect((await daemon.get('/api/apps/installed/hello_wave/variables')).body).toEqual([
    { name: 'API_KEY', value: null, secret: true },
    { name: 'GREETING', value: 'hello', secret: false },
  ]);
  expect((await daemon.get('/api/apps/startup-app')).body).toEqual({ startupApp: 'hello_wave' });
});

test('jobs, runs and the output of a run', async () => {
  const jobs = (await daemon.get('/api/jobs')).body as { kind: string; state: string }[];
  expect(jobs.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
    'install-app done',
    'install-app failed',
    'update-app done',
  ]);
  expect((await daemon.get('/api/apps/runs')).body).toMatchObject([
    { runId: '56e961caa9a311c2', appName: 'hello_wave', outcome: 'stopped' },
  ]);
  expect((await daemon.get('/api/apps/runs/56e961caa9a311c2/output')).body).toMatchObject({
    lines: [{ text: 'Hello! Waving.' }, { text: 'Bye. I waved for 3 s.' }],
  });
});

test('tokens, endpoints, the chosen catalog, the store and the account of the hub', async () => {
  const tokens = new AccessTokens(dataPaths(dataDir).tokensFile, { log: createLogger('error'), now: systemNow });
  expect(await tokens.verify(TOKEN)).toMatchObject({ name: 'dashboard', scopes: ['deploy', 'daemon'] });
  const listed = await fetch(`${daemon.url}/v2/endpoint/local`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect(await listed.json()).toMatchObject({
    items: [{ name: 'words', status: { state: 'paused' }, model: { secrets: { HUB_TOKEN: null } } }],
  });
  expect(await readdir(join(dataDir, 'endpoints'))).toEqual(['endpoint-local.words.json']);
  expect((await daemon.get('/api/catalog-source')).body).toMatchObject({ kind: 'remote', hasToken: true, total: 1 });
  expect((await daemon.get('/api/v1/catalog/list')).body).toMatchObject({ items: [{ repoId: 'maker/small' }] });
  expect((await daemon.get('/api/apps/store')).body).toMatchObject({ apps: [{ id: 'ada/wave' }] });
  expect((await daemon.get('/api/hub')).body).toMatchObject({ name: 'ada', problem: null });
});

test("secrets are decrypted with that version's key", async () => {
  const [variable] = (await readJson('apps/hello-wave/variables.json')).variables.filter(
    ({ name }: { name: string }) => name === 'API_KEY',
  );
  expect(await decrypt(variable.value)).toBe('s3cret');
  expect(await decrypt((await readJson('hub-token.json')).sealed)).toMatch(/^hf_/);
  expect(await decrypt((await readJson('catalog-source.json')).sealedToken)).toBe('token-of-the-remote-catalog');
});
