/** The daemon is killed (SIGKILL) while an endpoint is in each of its states; nothing of it survives, and it comes back. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessTokens } from '../access/access-tokens.ts';
import type { EndpointState } from '../contract/endpoints/endpoint.ts';
import { systemNow } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { newDataDir } from '../testing/daemon/test-daemon.ts';
import { type EndpointClient, endpointClient } from '../testing/endpoints/endpoint-client.ts';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { writeSmallCatalog } from '../testing/models/small-catalog.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { EndpointRecord } from './records/endpoint-record.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 3);
const seed = Number(process.env['TORTURE_SEED'] ?? 20_261_122);
console.log(`${kills} kills with TORTURE_SEED=${seed}`);
const random = seededRandom(seed);

let dataDir: string;
let hub: FakeHub;
let daemon: DaemonProcess;
let token: string;

const start = () =>
  startDaemonProcess(dataDir, [
    ...['--no-wake-up-on-start', '--catalog', join(dataDir, 'small-catalog.json'), '--hub', hub.url],
  ]);

beforeAll(async () => {
  hub = await startFakeHub();
  dataDir = await newDataDir();
  await writeSmallCatalog(dataDir);
  const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  ({ text: token } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null }));
  daemon = await start();
});
afterAll(async () => {
  await daemon?.kill();
  await hub?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** Waits until the endpoint runs, and the disk has it. */
async function served(endpoint: EndpointClient): Promise<void> {
  await endpoint.until('running');
  const file = join(dataDir, 'endpoints', `endpoint-${endpoint.name}.json`);
  while (!EndpointRecord.parse(JSON.parse(await readFile(file, 'utf8'))).hasServed) await sleep(10);
}

interface Moment {
  readonly name: string;
  /** Brings a new endpoint to the moment of the kill. */
  readonly reach: (endpoint: EndpointClient) => Promise<unknown>;
  /** Its state after the next start. */
  readonly next: EndpointState | 'goes on';
  /** Whether the download continues where it was. */
  readonly resumes?: boolean;
}

const moments: readonly Moment[] = [
  {
    name: 'the download',
    reach: async (endpoint) => {
      hub.misbehave({ bytesPerSecond: 200_000, only: /large-files/ });
      while (!((await endpoint.own()).report.progress?.transfer?.doneBytes ?? 0)) await sleep(20);
      await sleep(random() * 500);
    },
    next: 'goes on',
    resumes: true,
  },
  { name: 'the first start', reach: () => sleep(random() * 2_000), next: 'goes on' },
  {
    name: 'an answer',
    reach: async (endpoint) => {
      await served(endpoint);
      const answer = await endpoint.chat({ stream: true, max_tokens: 400 });
      const reader = (answer.body as ReadableStream).getReader();
      await reader.read();
      await sleep(random() * 200);
    },
    next: 'scaledToZero',
  },
  {
    name: 'its sleep',
    reach: async (endpoint) => {
      await served(endpoint);
      await endpoint.command('scale-to-zero');
    },
    next: 'scaledToZero',
  },
  {
    name: 'its waking',
    reach: async (endpoint) => {
      await served(endpoint);
      await endpoint.command('scale-to-zero');
      await endpoint.until('scaledToZero');
      void endpoint.chat().catch(() => {});
      await sleep(random() * 1_000);
    },
    next: 'scaledToZero',
  },
  {
    name: 'its pause',
    reach: async (endpoint) => {
      await endpoint.until('running');
      await endpoint.command('pause');
      await sleep(random() * 50);
    },
    next: 'paused',
  },
];

test.each(Array.from({ length: kills }, (_, number) => ({ number, ...(moments[number % moments.length] as Moment) })))(
  'kill $number, during $name',
  async ({ number, reach, next, resumes = false }) => {
    hub.misbehave({});
    // Other weights each time: the file is downloaded anew.
    const files = { 'tiny-q4.gguf': { lfs: tinyGguf({ seed: number + 1 }) } };
    if (number === 0) await hub.addModel({ id: 'ada/Tiny-GGUF', files });
    else await hub.commit('ada/Tiny-GGUF', files, 'model');
    const name = `kill-${number}`;
    const deployed = await fetch(`${daemon.url}/api/v1/catalog/recipe/tiny-q4/deploy`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ namespace: 'lab', config: { name } }),
    });
    expect(deployed.status).toBe(200);
    await reach(endpointClient(daemon.url, token, name));
    await daemon.kill();
    for (let tries = 0; (await daemon.children()).length > 0 && tries < 100; tries++) await sleep(20);
    expect(await daemon.children()).toEqual([]); // even before the next start
    hub.misbehave({});
    const requests = hub.requests.length;
    daemon = await start();
    const endpoint = endpointClient(daemon.url, token, name);
    // A first start goes on by itself. One that was over just before the kill sleeps; the request wakes it.
    if (next !== 'goes on') await endpoint.until(next);
    if (next === 'paused') await endpoint.command('resume');
    expect((await endpoint.chat()).status).toBe(200);
    if (resumes) {
      const ranges = hub.requests.slice(requests).map(({ range }) => range);
      expect(ranges).toContainEqual(expect.stringMatching(/^bytes=[1-9]\d*-/));
    }
    expect((await endpoint.remove()).status).toBe(200);
    expect(await daemon.children()).toEqual([]);
  },
  60_000,
);
