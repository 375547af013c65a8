/** Replicas end, change and become fewer under load: real processes, and no request is lost that had not begun to answer. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hardware } from '../contract/compute/hardware.ts';
import { startCheckedDaemon } from '../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../testing/daemon/test-daemon.ts';
import { type EndpointClient, endpointClient } from '../testing/endpoints/endpoint-client.ts';
import { ownFileRequest } from '../testing/endpoints/own-file-endpoint.ts';
import { underLoad } from '../testing/endpoints/under-load.ts';
import { writeHeldLlamaServer } from '../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../testing/models/tiny-gguf.ts';
import { seededRandom } from '../testing/seeded-random.ts';

const random = seededRandom(Number(process.env['TORTURE_SEED'] ?? 20_261_123));

interface Answer {
  readonly status: number;
  readonly pid: number;
  readonly version: string | null;
}

/** Of each replica: all that is sent fits in, so that each request is at a replica when something happens to it. */
const SLOTS = 6;
const LONG = { timeout: 100_000, interval: 200 };

/** @returns what arrives before the connection is closed */
async function textOf({ body }: Response): Promise<string> {
  let text = '';
  try {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece;
  } catch {}
  return text;
}

type StreamEnd = 'whole' | 'cut with an event' | 'cut' | 'cut for no failure' | 'lost' | 'refused by the pause';

describe.skipIf(process.platform === 'win32')(
  'under load (not on Windows: the program of the test is a shell script)',
  () => {
    let dataDir: string;
    let checked: Awaited<ReturnType<typeof startCheckedDaemon>>;
    let token: string;
    let modelPath: string;
    let hardware: Hardware;

    beforeAll(async () => {
      dataDir = await newDataDir();
      modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
      checked = await startCheckedDaemon({ dataDir, llamaServer: await writeHeldLlamaServer(dataDir) });
      token = await checked.newToken();
      hardware = (await checked.ask('GET', '/v2/provider/lab')).body as Hardware;
    });
    afterAll(async () => {
      await checked?.[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    });

    const twoReplicas = async (name: string): Promise<EndpointClient> => {
      const { compute, model, ...request } = ownFileRequest(name, modelPath, hardware, { nParallel: SLOTS });
      const scaling = { minReplica: 2, maxReplica: 2 };
      const body = {
        ...{ ...request, compute: { ...compute, scaling }, model: { ...model, env: { LLAMA_VERSION: 'first' } } },
      };
      expect(await checked.ask('POST', '/v2/endpoint/lab', { body })).toMatchObject({ status: 200 });
      const endpoint = endpointClient(checked.daemon.url, token, name);
      await expect.poll(async () => (await endpoint.get()).status.readyReplica).toBe(2);
      return endpoint;
    };
    const change = async (name: string, body: object) =>
      expect(await checked.ask('PUT', `/v2/endpoint/lab/${name}`, { body })).toMatchObject({ status: 200 });
    const pidsOf = async (endpoint: EndpointClient) => (await endpoint.own()).report.replicas.map(({ pid }) => pid);

    const loaded = (endpoint: EndpointClient, during: () => Promise<void>) =>
      underLoad(async (): Promise<Answer> => {
        const answer = await endpoint.chat({ hold_ms: 20 + 200 * random() });
        const body = answer.ok ? ((await answer.json()) as Omit<Answer, 'status'>) : { pid: 0, version: null };
        return { status: answer.status, ...body };
      }, during);

    test('one of two replicas that is killed', async () => {
      const endpoint = await twoReplicas('killed');
      const [pid] = await pidsOf(endpoint);
      const answers = await loaded(endpoint, async () => {
        process.kill(pid as number, 'SIGKILL');
        await expect.poll(async () => (await pidsOf(endpoint)).includes(pid as number)).toBe(false);
        await expect.poll(async () => (await endpoint.get()).status.readyReplica).toBe(2);
      });
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map((answer) => answer.pid)).size).toBeGreaterThanOrEqual(2);
      expect((await endpoint.own()).traffic.failed).toBe(0);
      await endpoint.remove();
    });

    test('an update', async () => {
      const endpoint = await twoReplicas('updated');
      const before = await pidsOf(endpoint);
      const answers = await loaded(endpoint, async () => {
        await change('updated', { model: { env: { LLAMA_VERSION: 'second' } } });
        await endpoint.until('running');
        await expect.poll(async () => (await pidsOf(endpoint)).some((pid) => before.includes(pid))).toBe(false);
      });
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ version }) => version))).toEqual(new Set(['first', 'second']));
      expect(await (await endpoint.chat()).json()).toMatchObject({ version: 'second' });
      await endpoint.remove();
    });

    test('a thousand streams through a kill, a stall, an update, a pause and fewer replicas', async () => {
      const endpoint = await twoReplicas('streams');
      const ready = (count: number) =>
        expect.poll(async () => (await endpoint.get()).status.readyReplica, LONG).toBe(count);
      const isGone = (pid: number | null | undefined) =>
        expect.poll(async () => (await pidsOf(endpoint)).includes(pid as number), LONG).toBe(false);
      let isFailing = false;
      let isPaused = false;
      let refusals = 0;
      const failing = async (fail: () => Promise<void>) => {
        isFailing = true;
        await fail();
        await ready(2);
        isFailing = false;
      };
      const streamed = async (): Promise<StreamEnd> => {
        const mayFail = isFailing;
        const answer = await endpoint.chat({ stream: true, hold_ms: 40 * random() });
        const text = await textOf(answer);
        if (isPaused && answer.status === 503) {
          refusals += 1;
          return 'refused by the pause';
        }
        if (answer.status !== 200) return 'lost';
        if (text.endsWith('data: [DONE]\n\n')) return 'whole';
        if (!/\n\ndata: \{"error":\{[^\n]+\n\n$/.test(`\n\n${text}`)) return 'cut';
        return mayFail || isFailing ? 'cut with an event' : 'cut for no failure';
      };
      const ends = await underLoad(streamed, async () => {
        await failing(async () => {
          const [killed] = await pidsOf(endpoint);
          process.kill(killed as number, 'SIGKILL');
          await isGone(killed);
        });
        await failing(async () => {
          const [stopped] = await pidsOf(endpoint);
          process.kill(stopped as number, 'SIGSTOP');
          await isGone(stopped); // it is replaced after 20 s; the streams that it has begun have 30 s more
        });
        await change('streams', { model: { env: { LLAMA_VERSION: 'second' } } });
        await endpoint.until('running');
        isPaused = true;
        await endpoint.command('pause');
        await ready(0);
        await expect.poll(() => refusals).toBeGreaterThan(0); // a client may still read a stream that began before
        await endpoint.command('resume');
        await endpoint.until('running');
        isPaused = false;
        await ready(2);
        await change('streams', { compute: { scaling: { minReplica: 1, maxReplica: 1 } } });
        await ready(1);
        await expect.poll(async () => (await endpoint.own()).traffic.requests, LONG).toBeGreaterThan(1_000);
      });
      const counts: Partial<Record<StreamEnd, number>> = {};
      for (const end of ends) counts[end] = (counts[end] ?? 0) + 1;
      console.log(counts);
      expect(Object.keys(counts).sort()).toEqual(['cut with an event', 'refused by the pause', 'whole']);
      const { requests, failed, inFlight } = (await endpoint.own()).traffic;
      const unanswered = (counts['cut with an event'] ?? 0) + (counts['refused by the pause'] ?? 0);
      expect({ requests, failed, inFlight }).toEqual({ requests: ends.length, failed: unanswered, inFlight: 0 });
      await endpoint.remove();
    }, 240_000);

    test('fewer replicas', async () => {
      const endpoint = await twoReplicas('fewer');
      const answers = await loaded(endpoint, async () => {
        await change('fewer', { compute: { scaling: { minReplica: 1, maxReplica: 1 } } });
        await expect.poll(async () => (await pidsOf(endpoint)).length).toBe(1);
      });
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const [left] = await pidsOf(endpoint);
      expect(await (await endpoint.chat()).json()).toMatchObject({ pid: left, version: 'first' });
      expect((await endpoint.own()).traffic.failed).toBe(0);
      await endpoint.remove();
      expect(await checked.daemon.children()).toEqual([]);
    });
  },
);
