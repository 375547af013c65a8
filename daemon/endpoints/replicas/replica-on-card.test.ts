import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { CardPlace } from '../../graphics-cards/card-places.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { placeOf } from '../../testing/models/place-on-card.ts';
import { type ScriptedReplica, type ScriptedRuntime, scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import { DRIVER_SILENT } from '../failures/exit-cause.ts';
import { type StartStep, startProgress } from '../preparation/start-report.ts';
import { ReplicaKeeper, type ReplicaVersion } from './replica-keeper.ts';
import type { ReplicaSetPlan } from './replica-plans.ts';

const MINUTE_MS = 60_000;
const parts = partsNamed('chat', {
  model: {
    framework: 'llamacpp',
    repository: 'ada/tiny',
    image: { llamacpp: { url: 'u', modelPath: '/repository/x.gguf' } },
  },
});
const onCard = { ...parts, compute: { ...parts.compute, accelerator: 'gpu' as const } };
const crashed: EndpointFailure = { reason: 'graphics-card', message: 'The driver crashed.', action: '', evidence: [] };
const steps: readonly StartStep[] = ['start', 'load'];

interface Options {
  readonly runtime?: ScriptedRuntime;
  readonly plan?: Partial<ReplicaSetPlan>;
  readonly steps?: readonly StartStep[];
  readonly socketPath?: string;
  readonly compiled?: CardPlace['compiled'];
}

/** A keeper whose first replica has a place on a graphics card, and each later one none. */
async function keptOnCard(options: Options = {}) {
  const { runtime = scriptedRuntime(), socketPath = join(tmpdir(), 'nobody.sock') } = options;
  const clock = manualClock();
  const logged: string[] = [];
  const seen: string[] = [];
  /** What became of the place. */
  const place: string[] = [];
  let heldBytes = () => 0;
  const card = placeOf({
    loaded: (held) => {
      heldBytes = held;
      place.push('loaded');
    },
    ended: () => void place.push('ended'),
    ...(options.compiled && { compiled: options.compiled }),
  });
  let starts = 0;
  const plan: ReplicaSetPlan = {
    ...{ id: 'lab/chat', parts: () => parts, threads: 1, availableBytes: () => null },
    prepare: async (_, onProgress) => {
      onProgress(startProgress(options.steps ?? steps));
      return { runtime, model: { kind: 'nothing' } };
    },
    start: async (model) => {
      starts += 1;
      const spec = { id: `r${starts}`, endpoint: 'lab/chat', parts, model, variables: {}, socketPath, threads: 1 };
      return { spec: { ...spec, card: starts === 1 ? card : null }, slots: null };
    },
    loaded: async () => {},
    ended: async ({ reason }) => (reason === 'graphics-card' ? 'restart-on-processor' : 'restart'),
    ...options.plan,
  };
  const version: ReplicaVersion = {
    ...{ plan, starts: new Mutex(), label: null, endCause: null, progress: startProgress(steps) },
  };
  const keeper = new ReplicaKeeper(version, {
    ...{ requestsOf: () => 0, onLine: () => {}, onChange: () => {}, clock },
    onProgress: () => {
      const step = version.progress.steps.find(({ state }) => state === 'running')?.name ?? '';
      if (seen.at(-1) !== step) seen.push(step);
    },
    log: createLogger('warn', (line) => logged.push(line.slice(13).trimEnd())),
  });
  let outcome = 'it runs';
  const ended = keeper.run().then(
    () => {
      outcome = 'ended';
    },
    ({ message }: Error) => {
      outcome = message;
    },
  );
  onTestFinished(async () => {
    keeper.end();
    await ended;
  });
  await clock.advance(0);
  return {
    ...{ keeper, clock, runtime, logged, seen, place },
    heldBytes: () => heldBytes(),
    outcome: () => outcome,
    replica: (index: number) => runtime.started[index] as ScriptedReplica,
  };
}

test('a replica that its graphics driver ends is started on the processor at once, and that is no restart', async () => {
  const { clock, runtime, replica, logged, place, outcome } = await keptOnCard();
  replica(0).end(crashed);
  await clock.advance(0);
  expect([runtime.started.map(({ spec }) => spec.card !== null), place]).toEqual([
    [true, false],
    ['loaded', 'ended'],
  ]);
  expect(logged).toEqual(['warn  endpoint lab/chat: The driver crashed. It is started again.']);
  for (const [index, delayMs] of [0, 1_000, 5_000].entries()) {
    replica(index + 1).end({ code: 1 });
    await clock.advance(delayMs);
    expect([index, runtime.started.length]).toEqual([index, index + 3]);
  }
  replica(4).end({ code: 1 });
  await clock.advance(0);
  expect(outcome()).toContain('It was restarted 3 times in five minutes.');
});

test('an owner who demanded the card gets the cause at the first end', async () => {
  const ended = async (cause: EndpointFailure) => {
    throw new EndpointFailed(cause);
  };
  const { clock, runtime, replica, place, outcome } = await keptOnCard({ plan: { ended } });
  replica(0).end(crashed);
  await clock.advance(0);
  expect([outcome(), runtime.started.length, place]).toEqual(['The driver crashed.', 1, ['loaded', 'ended']]);
});

test('a card that cannot be used when its turn comes makes the start prepare again', async () => {
  const prepared: string[] = [];
  const runtime = scriptedRuntime();
  const { replica, keeper } = await keptOnCard({
    runtime,
    plan: {
      prepare: async () => {
        prepared.push('prepared');
        return { runtime, model: { kind: 'nothing' } };
      },
      start: async (model) => {
        if (prepared.length === 1) return null;
        const spec = { id: 'r1', endpoint: 'lab/chat', parts, model, variables: {}, socketPath: '/s', threads: 1 };
        return { spec: { ...spec, card: null }, slots: null };
      },
    },
  });
  expect([prepared.length, replica(0).spec.card, keeper.state]).toEqual([2, null, 'ready']);
});

test('the place knows how much the model holds, also once its last lines have come', async () => {
  const { replica, heldBytes } = await keptOnCard();
  expect(heldBytes()).toBe(0);
  Object.assign(replica(0), { cardUse: { card: 'A card', layers: 3, totalLayers: 3, memoryBytes: 5e9 } });
  expect(heldBytes()).toBe(5e9);
});

const slow = () => Object.assign(scriptedRuntime(), { isQuick: false });
type Kept = Awaited<ReturnType<typeof keptOnCard>>;

test.each<[string, () => Options, (kept: Kept) => Promise<void> | void]>([
  ['it crashes', () => ({}), ({ replica }) => replica(0).end({ code: 1 })],
  ['it crashes while it loads', () => ({ runtime: slow() }), ({ replica }) => replica(0).end(crashed)],
  ['it is stopped', () => ({}), ({ keeper }) => keeper.end()],
  ['it is stopped while it loads', () => ({ runtime: slow() }), ({ keeper }) => keeper.end()],
  ['it never loads', () => ({ runtime: slow() }), ({ clock }) => clock.advance(11 * MINUTE_MS)],
  [
    'it hangs, once it is replaced',
    () => ({}),
    async ({ keeper, replica, clock }) => {
      replica(0).hang();
      await clock.advance(22_000);
      for (const hung of keeper.hung) hung.end();
    },
  ],
  [
    'its stop fails',
    () => ({}),
    ({ keeper, replica }) => {
      replica(0).stop = () => Promise.reject(new Error('no permission'));
      keeper.end();
    },
  ],
  [
    'its program cannot start',
    () => ({ runtime: Object.assign(scriptedRuntime(), { start: () => Promise.reject(new Error('EAGAIN')) }) }),
    () => {},
  ],
  ['where it runs cannot be kept', () => ({ plan: { loaded: () => Promise.reject(new Error('a bug')) } }), () => {}],
])('the place of a replica is given back when %s', async (_what, options, act) => {
  const kept = await keptOnCard(options());
  await act(kept);
  await kept.clock.advance(0);
  expect(kept.place.at(-1)).toBe('ended');
});

test('a driver that hangs while it loads counts as the failure of the card', async () => {
  const causes: EndpointFailure[] = [];
  const ended = async (cause: EndpointFailure) => {
    causes.push(cause);
    return 'restart-on-processor' as const;
  };
  const { clock, runtime, place } = await keptOnCard({ runtime: slow(), plan: { ended } });
  await clock.advance(11 * MINUTE_MS);
  expect(causes).toMatchObject([{ reason: 'graphics-card', message: DRIVER_SILENT.message }]);
  expect([runtime.started.length, place]).toEqual([2, ['ended']]);
});

test('a model that is slow to load is no failure of the card, as long as its program works', async () => {
  const { clock, replica, outcome } = await keptOnCard({ runtime: slow() });
  let seconds = 0;
  replica(0).cpuSeconds = async () => {
    seconds += 1;
    return seconds;
  };
  await clock.advance(11 * MINUTE_MS);
  expect(outcome()).toContain('nothing was written for 10 minutes');
});

test('an endpoint whose own arguments put no layer on the card runs', async () => {
  const own = { ...parts, model: { ...parts.model, args: ['-ngl', '0'] } };
  const runtime = slow();
  const { clock, replica, keeper } = await keptOnCard({ runtime, plan: { parts: () => own } });
  Object.assign(replica(0), { cardUse: { card: 'A card', layers: 0, totalLayers: 3, memoryBytes: 0 } });
  replica(0).becomeHealthy();
  await clock.advance(1_000);
  expect(keeper.state).toBe('ready');
});

test('a program that puts no layer on its card has no memory there', async () => {
  const causes: EndpointFailure[] = [];
  const ended = async (cause: EndpointFailure) => {
    causes.push(cause);
    return 'restart-on-processor' as const;
  };
  const runtime = slow();
  const { clock, replica, place } = await keptOnCard({ runtime, plan: { ended } });
  Object.assign(replica(0), { cardUse: { card: 'A card', layers: 0, totalLayers: 3, memoryBytes: 0 } });
  replica(0).becomeHealthy();
  await clock.advance(MINUTE_MS);
  expect(causes).toMatchObject([{ reason: 'no-card-memory' }]);
  expect(place).toEqual(['ended']);
});

test('the replica in the place of one that hangs is measured for once that one is gone', async () => {
  const { keeper, clock, runtime, replica, place } = await keptOnCard({ plan: { parts: () => onCard } });
  replica(0).hang();
  await clock.advance(22_000);
  expect([runtime.started.length, place]).toEqual([1, ['loaded']]);
  for (const hung of keeper.hung) hung.end();
  await clock.advance(0);
  expect([runtime.started.length, place]).toEqual([2, ['loaded', 'ended']]);
});

test('the place is kept as long as a replica that hangs is there', async () => {
  const { keeper, clock, replica, place } = await keptOnCard();
  const { promise, resolve } = Promise.withResolvers<void>();
  replica(0).stop = () => promise;
  replica(0).hang();
  await clock.advance(22_000);
  for (const hung of keeper.hung) hung.end();
  await clock.advance(0);
  expect(place).toEqual(['loaded']);
  resolve();
  await clock.advance(0);
  expect(place).toEqual(['loaded', 'ended']);
});

const warmSteps: readonly StartStep[] = ['start', 'load', 'warm'];

/** A server in the place of the replica's, which answers when the test lets it. */
async function listening() {
  const socketPath = join(tmpdir(), `on-card-${process.pid}-${Math.random().toString(36).slice(2, 8)}.sock`);
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const asked: string[] = [];
  let lastBytes = 0;
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    lastBytes = Number(request.headers['content-length']);
    request.resume();
    void mayAnswer.then(() => response.end('{}'));
  });
  server.listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { socketPath, asked, answer, lastBytes: () => lastBytes };
}

test('a replica on the card warms up before it is ready, as a step of its start', async () => {
  const { socketPath, asked, answer } = await listening();
  const { keeper, seen } = await keptOnCard({ socketPath, steps: warmSteps });
  await expect.poll(() => asked).toEqual(['/v1/completions']);
  expect([keeper.state, seen]).toEqual(['starting', [...warmSteps]]);
  answer();
  await expect.poll(() => keeper.state).toBe('ready');
});

test('a driver that has compiled all for a model is asked less at its next start, and all again for another program', async () => {
  const { socketPath, answer, lastBytes } = await listening();
  answer();
  const known = new Set<string>();
  const compiled = { has: async (key: string) => known.has(key), add: async (key: string) => void known.add(key) };
  const started = async (label: string) => {
    const runtime = Object.assign(scriptedRuntime(), { label });
    const { keeper } = await keptOnCard({ runtime, socketPath, steps: warmSteps, compiled });
    await expect.poll(() => keeper.state).toBe('ready');
    return lastBytes();
  };
  const first = await started('llama.cpp 1');
  expect(first).toBeGreaterThan(2_000);
  expect(await started('llama.cpp 1')).toBeLessThan(200);
  expect(await started('llama.cpp 2')).toBe(first);
});

test('a replica whose warm-up fails serves all the same', async () => {
  const kept: string[] = [];
  const compiled = { has: async () => false, add: async (key: string) => void kept.push(key) };
  const { keeper, logged } = await keptOnCard({ steps: warmSteps, compiled });
  await expect.poll(() => keeper.state).toBe('ready');
  expect(kept).toEqual([]);
  expect(logged).toEqual([expect.stringMatching(/its first answer may take long \(.*ENOENT/)]);
});

test('a driver that hangs while it warms up counts as the failure of the card', async () => {
  const { socketPath, asked } = await listening();
  const causes: EndpointFailure[] = [];
  const ended = async (cause: EndpointFailure) => {
    causes.push(cause);
    return 'restart-on-processor' as const;
  };
  const { clock, runtime, place } = await keptOnCard({ socketPath, steps: warmSteps, plan: { ended } });
  await expect.poll(() => asked).toHaveLength(1);
  await clock.advance(10 * MINUTE_MS);
  await expect
    .poll(async () => {
      await clock.advance(1_000); // until it is seen that it does nothing
      return runtime.started.length;
    })
    .toBe(2);
  expect([causes[0]?.message, place]).toEqual([DRIVER_SILENT.message, ['loaded', 'ended']]);
});

test('a replica whose driver crashes while it warms up goes on on the processor', async () => {
  const { socketPath, asked } = await listening();
  const { clock, replica, runtime, logged, place } = await keptOnCard({ socketPath, steps: warmSteps });
  await expect.poll(() => asked).toHaveLength(1);
  replica(0).end(crashed);
  await clock.advance(0);
  expect([runtime.started.length, place]).toEqual([2, ['loaded', 'ended']]);
  expect(logged).toEqual(['warn  endpoint lab/chat: The driver crashed. It is started again.']);
});

test('a replica that is stopped while it warms up is gone, without a word about its first answer', async () => {
  const { socketPath, asked } = await listening();
  const { keeper, clock, place, logged, outcome } = await keptOnCard({ socketPath, steps: warmSteps });
  await expect.poll(() => asked).toHaveLength(1);
  keeper.end();
  await expect.poll(outcome).toBe('ended');
  await clock.advance(0);
  expect([place, logged]).toEqual([['loaded', 'ended'], []]);
});

test('without that step nothing is asked', async () => {
  const { socketPath, asked } = await listening();
  const { keeper } = await keptOnCard({ socketPath });
  expect([keeper.state, asked]).toEqual(['ready', []]);
});
