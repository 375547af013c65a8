import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { EndpointState } from '../../contract/endpoints/endpoint.ts';
import { fileOf } from '../../endpoints/records/endpoint-files.ts';
import { EndpointRecord } from '../../endpoints/records/endpoint-record.ts';
import type { EndpointClient } from '../endpoints/endpoint-client.ts';
import { type FakeHub, startFakeHub } from '../fake-hub.ts';
import { tinyGguf } from '../models/tiny-gguf.ts';
import { DaemonToKill } from './daemon-to-kill.ts';
import type { KilledWork } from './killed-work.ts';

interface Killed {
  readonly dataDir: string;
  readonly hub: FakeHub;
  readonly random: () => number;
}

/** Waits until the endpoint runs, and the disk has it. */
async function served(endpoint: EndpointClient, dataDir: string): Promise<void> {
  await endpoint.until('running');
  const file = join(dataDir, 'endpoints', fileOf({ namespace: 'lab', name: endpoint.name }));
  const hasServed = async () => EndpointRecord.parse(JSON.parse(await readFile(file, 'utf8'))).hasServed;
  await vi.waitFor(async () => expect(await hasServed()).toBe(true), { interval: 10 });
}

interface Moment {
  /** Brings a new endpoint to the moment of the kill. */
  readonly reach: (endpoint: EndpointClient, killed: Killed) => Promise<unknown>;
  /** Its state after the next start. */
  readonly next: EndpointState | 'goes on';
  /** Whether the download continues where it was. */
  readonly resumes?: boolean;
}

const moments: Readonly<Record<string, Moment>> = {
  'the download': {
    reach: async (endpoint, { hub, random }) => {
      hub.misbehave({ bytesPerSecond: 200_000, only: /large-files/ });
      const doneBytes = async () => (await endpoint.own()).report.progress?.transfer?.doneBytes ?? 0;
      await vi.waitFor(async () => expect(await doneBytes()).toBeGreaterThan(0), { interval: 20 });
      await sleep(random() * 500);
    },
    next: 'goes on',
    resumes: true,
  },
  'the first start': { reach: (_, { random }) => sleep(random() * 2_000), next: 'goes on' },
  'an answer': {
    reach: async (endpoint, { dataDir, random }) => {
      await served(endpoint, dataDir);
      const answer = await endpoint.chat({ stream: true, max_tokens: 400 });
      const reader = (answer.body as ReadableStream).getReader();
      await reader.read();
      await sleep(random() * 200);
    },
    next: 'scaledToZero',
  },
  'its sleep': {
    reach: async (endpoint, { dataDir }) => {
      await served(endpoint, dataDir);
      await endpoint.command('scale-to-zero');
    },
    next: 'scaledToZero',
  },
  'its waking': {
    reach: async (endpoint, { dataDir, random }) => {
      await served(endpoint, dataDir);
      await endpoint.command('scale-to-zero');
      await endpoint.until('scaledToZero');
      void endpoint.chat().catch(() => {});
      await sleep(random() * 1_000);
    },
    next: 'scaledToZero',
  },
  'its pause': {
    reach: async (endpoint, { random }) => {
      await endpoint.until('running');
      await endpoint.command('pause');
      await sleep(random() * 50);
    },
    next: 'paused',
  },
};

/** An endpoint is in one of its states: no process of it survives, and the next daemon brings it back. */
export const endpointLife: KilledWork = {
  name: 'a daemon with an endpoint',
  parts: Object.keys(moments),
  kills: 3,
  begin: async () => {
    const hub = await startFakeHub();
    const daemon = await DaemonToKill.begin(['--hub', hub.url]);
    return {
      kill: async (part, number, random) => {
        await killIn(moments[part] as Moment, number, daemon, { dataDir: daemon.dataDir, hub, random });
        return part;
      },
      [Symbol.asyncDispose]: async () => {
        for (const each of [daemon, hub]) await each[Symbol.asyncDispose]();
      },
    };
  },
};

async function killIn(moment: Moment, number: number, daemon: DaemonToKill, killed: Killed): Promise<void> {
  const { reach, next, resumes = false } = moment;
  const { hub } = killed;
  hub.misbehave({});
  // Other weights each time: the file is downloaded anew.
  const files = { 'tiny-q4.gguf': { lfs: tinyGguf({ seed: number + 1 }) } };
  if (number === 0) await hub.addModel({ id: 'ada/Tiny-GGUF', files });
  else await hub.commit('ada/Tiny-GGUF', files, 'model');
  const name = `kill-${number}`;
  const deployed = await daemon.ask('POST', '/api/v1/catalog/recipe/tiny-q4/deploy', {
    namespace: 'lab',
    config: { name },
  });
  expect(deployed.status).toBe(200);
  await reach(daemon.endpoint(name), killed);
  await daemon.kill();
  await vi.waitFor(async () => expect(await daemon.children()).toEqual([])); // even before the next start
  hub.misbehave({});
  const requests = hub.requests.length;
  await daemon.next();
  const endpoint = daemon.endpoint(name);
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
}
