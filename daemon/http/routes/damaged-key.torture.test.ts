/** A key of secrets that is damaged between two runs of the daemon: the real daemon over real HTTP and on a real disk. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { minimalRequest } from '../../testing/models/some-endpoints.ts';

const VARIABLES = '/api/apps/installed/steady/variables';
const LAB = '/v2/endpoint/lab';
let dataDir: string;
let folder: string;
let keyFile: string;
beforeAll(async () => {
  dataDir = await newDataDir();
  keyFile = join(dataDir, 'secret-key');
  folder = await mkdtemp(join(tmpdir(), 'damaged-key-'));
});
afterAll(async () => {
  for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
});

const secret = (value: string) => ({ body: { value, secret: true } });
const start = (checked: CheckedDaemon) => checked.ask('POST', '/api/apps/start-app/steady');
const stored = (names: string[], unreadable: string[]) =>
  names.map((name) => ({
    ...{ name, value: null, secret: true },
    ...(unreadable.includes(name) ? { unreadable: true } : {}),
  }));

test('what can no longer be read is named and can be set again, and nothing answers 500', async () => {
  {
    await using checked = await startCheckedDaemon({ dataDir });
    const { daemon } = checked;
    const ask: CheckedDaemon['ask'] = (...request) => checked.ask(...request);
    const app = await writeAppPackage(join(folder, 'steady'), { name: 'steady' });
    expect(await daemon.install(app)).toMatchObject({ state: 'done' });
    for (const name of ['A', 'B'])
      expect(await ask('PUT', `${VARIABLES}/${name}`, secret('1'))).toMatchObject({ status: 200 });
    const { body } = await ask('GET', '/v2/provider/lab');
    const [region] = body.vendors.find((vendor: { name: string }) => vendor.name === 'local').regions;
    const { instanceSize } = region.computes.find(({ id }: { id: string }) => /-host-x/.test(id));
    const { compute, model, ...rest } = minimalRequest('chat');
    const request = { ...rest, compute: { ...compute, instanceSize }, model: { ...model, secrets: { KEY: 'k' } } };
    expect(await ask('POST', LAB, { body: request })).toMatchObject({ status: 200 });
  }
  {
    await writeFile(keyFile, randomBytes(300));
    await using checked = await startCheckedDaemon({ dataDir });
    const ask: CheckedDaemon['ask'] = (...request) => checked.ask(...request);
    expect(await start(checked)).toMatchObject({
      status: 409,
      body: { error: 'The secrets A and B of "steady" cannot be read. Set A and B again.' },
    });
    expect(await ask('GET', VARIABLES)).toMatchObject({ status: 200, body: stored(['A', 'B'], ['A', 'B']) });
    expect(await ask('PUT', `${VARIABLES}/A`, secret('2'))).toMatchObject({
      ...{ status: 200, body: stored(['A', 'B'], ['B']) },
    });
    expect(await start(checked)).toMatchObject({
      ...{ status: 409, body: { error: 'The secret B of "steady" cannot be read. Set B again.' } },
    });
    expect(await ask('PUT', `${VARIABLES}/B`, secret('2'))).toMatchObject({ status: 200 });
    expect(await start(checked)).toMatchObject({ status: 200 });
    expect(await ask('POST', '/api/apps/stop-current-app')).toMatchObject({ status: 200 });
    const change = await ask('PUT', `${LAB}/chat`, { body: { model: { secrets: { KEY: 'new' } } } });
    expect(change).toMatchObject({ status: 200, body: { model: { secrets: { KEY: null } } } });
  }
  expect((await readdir(dataDir)).filter((name) => name.startsWith('secret-key.damaged-'))).toHaveLength(1);
});
