import { expect, onTestFinished, test } from 'vitest';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { type ScriptedReplica, scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import { startProgress } from '../preparation/start-report.ts';
import { due, restartDelayMs } from './plan.ts';
import { ReplicaKeeper } from './replica-keeper.ts';
import type { ReplicaSetPlan } from './replica-plans.ts';

/** A replica that does not answer for 20 s, from the first question on, is replaced; it is asked every 2 s. */
const HUNG_MS = 22_000;
const MINUTE_MS = 60_000;

const noMemory = new EndpointFailed({ reason: 'no-memory', message: 'Too little memory.', action: '' });
const exitCode = (code: number) => `The process that serves the model ended with exit code ${code}.`;

/** A keeper that runs a replica on a clock that stands still. @param check called at each preparation, may throw its error */
async function keptReplica({
  runtime = scriptedRuntime(),
  check = (_attempt: number) => {},
  plan = {} as Partial<ReplicaSetPlan>,
} = {}) {
  const clock = manualClock();
  const load = { requests: 0 };
  let attempts = 0;
  /** The causes of ends, and at each change the states of the replicas. */
  const changes: string[] = [];
  const steps: string[] = [];
  const logged: string[] = [];
  const states = () => keeper.processes.map(({ state }) => state).join(', ') || 'none';
  const version: ConstructorParameters<typeof ReplicaKeeper>[0] = {
    plan: {
      ...{ id: 'lab/chat', parts: () => partsNamed('chat'), threads: 1, availableBytes: () => null },
      prepare: async () => {
        attempts += 1;
        check(attempts);
        return { runtime, model: { kind: 'nothing' } };
      },
      start: async (model) => ({
        spec: {
          ...{ id: `r${attempts}`, endpoint: 'lab/chat', parts: partsNamed('chat'), model, variables: {} },
          ...{ socketPath: `/sockets/r${attempts}`, threads: 1, card: null },
        },
        slots: null,
      }),
      loaded: async () => {},
      ended: async () => 'restart',
      ...plan,
    },
    starts: new Mutex(),
    progress: startProgress(['start', 'load']),
    set label(name: string) {
      steps.push(name);
    },
    set endCause({ message }: EndpointFailure) {
      changes.push(message);
    },
  };
  /** Does what its owner does: ends what has no more requests, or no more time. */
  let cancel = () => {};
  const endDue = () => {
    cancel();
    const nowMs = clock.elapsedMs();
    const { ended, nextMs } = due([...keeper.hung, keeper], nowMs);
    for (const one of ended) one.end();
    if (nextMs !== Number.POSITIVE_INFINITY) cancel = clock.after(nextMs - nowMs, endDue);
  };
  const keeper: ReplicaKeeper = new ReplicaKeeper(version, {
    requestsOf: () => load.requests,
    onProgress: () => {
      const step = version.progress.steps.find(({ state }) => state === 'running')?.name ?? '';
      if (steps.at(-1) !== step) steps.push(step);
    },
    onLine: (text) => steps.push(text),
    onChange: () => {
      changes.push(states());
      endDue();
    },
    ...{ clock, log: createLogger('warn', (line) => logged.push(line.slice(13).trimEnd())) },
  });
  const outcomes: string[] = [];
  void keeper.run().then(
    () => outcomes.push('ended'),
    ({ message }: Error) => outcomes.push(message),
  );
  onTestFinished(() => keeper.end());
  await clock.advance(0);
  return {
    ...{ keeper, clock, runtime, load, changes, steps, logged, states },
    outcome: () => outcomes[0] ?? 'it runs',
    attempts: () => attempts,
    replica: (index: number) => runtime.started[index] as ScriptedReplica,
    stopped: () => runtime.started.map(({ isStopped }) => isStopped),
    finishRequests: async () => {
      load.requests = 0;
      endDue();
      await clock.advance(0);
    },
  };
}

/** Makes the stop of a replica wait for the call of the result. */
function slowStop(replica: ScriptedReplica): () => void {
  const stop = replica.stop.bind(replica);
  const { promise, resolve } = Promise.withResolvers<void>();
  replica.stop = () => promise.then(stop);
  return resolve;
}

test('a start tells its program, its steps and its output, and that the replica is ready', async () => {
  const { keeper, steps, changes, replica } = await keptReplica();
  expect(steps).toEqual(['scripted 1.0', 'start', 'started 1000', 'load']);
  expect(changes).toEqual(['ready']);
  expect(keeper.processes[0]?.replica).toBe(replica(0));
  expect(keeper.state).toBe('ready');
});

test('a replica that crashes is out of service while its last lines are read, then its cause is reported, then the change', async () => {
  const { keeper, clock, load, logged, replica, runtime, changes, stopped } = await keptReplica();
  load.requests = 1; // they fail with it
  replica(0).endServing();
  await clock.advance(0);
  expect([keeper.state, changes, stopped()]).toEqual(['starting', ['ready'], [false]]);
  replica(0).end({ code: 3 });
  await clock.advance(0);
  expect(changes).toEqual(['ready', exitCode(3), 'draining', 'none', 'ready']);
  expect(logged).toEqual([`warn  endpoint lab/chat: ${exitCode(3)} It is started again.`]);
  expect([runtime.started.length, keeper.processes[0]?.replica === replica(1)]).toEqual([2, true]);
});

test('a replica that crashed is gone, with its memory, before another one starts', async () => {
  const { clock, replica, runtime, states } = await keptReplica();
  const goOn = slowStop(replica(0));
  replica(0).end({ code: 3 });
  await clock.advance(1_000);
  expect([runtime.started.length, states()]).toEqual([1, 'draining']);
  goOn();
  await clock.advance(0);
  expect([runtime.started.length, states()]).toEqual([2, 'ready']);
});

test('a load fails ten minutes after the last line of its replica, which is stopped', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { clock, replica, stopped, outcome } = await keptReplica({ runtime });
  await clock.advance(9 * MINUTE_MS);
  replica(0).spec.onLine('half of it', false);
  await clock.advance(10 * MINUTE_MS);
  expect([stopped(), outcome()]).toEqual([[false], 'it runs']);
  await clock.advance(1_000);
  expect(stopped()).toEqual([true]);
  expect(outcome()).toBe('The model was not loaded, and nothing was written for 10 minutes.');
});

test('a replica that crashes while it loads tells its own cause, not that it was stopped', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { clock, replica, changes, stopped } = await keptReplica({ runtime });
  replica(0).endServing();
  await clock.advance(1_000);
  expect(stopped()).toEqual([false]); // its last lines are read
  replica(0).end({ code: 3 });
  await clock.advance(0);
  expect(changes.filter((text) => text.includes('ended'))).toEqual([exitCode(3)]);
  expect(stopped()).toEqual([true, false]);
});

test('a replica that crashes again and again is restarted at once, after 1 s and after 5 s, then given up', async () => {
  const runtime = scriptedRuntime();
  runtime.exitsAtOnce = true;
  const { clock, outcome, changes } = await keptReplica({ runtime });
  expect(runtime.started).toHaveLength(2);
  await clock.advance(999);
  expect(runtime.started).toHaveLength(2);
  await clock.advance(1);
  expect(runtime.started).toHaveLength(3);
  await clock.advance(4_999);
  expect([runtime.started.length, outcome()]).toEqual([3, 'it runs']);
  await clock.advance(1);
  expect(runtime.started).toHaveLength(4);
  expect(outcome()).toBe(`${exitCode(1)} It was restarted 3 times in five minutes.`);
  expect(changes.filter((text) => text === exitCode(1))).toHaveLength(4);
});

test('requests to a replica that hangs have half a minute to end, while another one serves', async () => {
  const { clock, load, replica, stopped, states } = await keptReplica();
  load.requests = 1;
  replica(0).hang();
  await clock.advance(HUNG_MS - 1);
  expect(states()).toBe('ready');
  await clock.advance(1);
  expect(states()).toBe('draining, ready');
  await clock.advance(29_999);
  expect(stopped()).toEqual([false, false]);
  await clock.advance(1);
  expect([stopped(), states()]).toEqual([[true, false], 'ready']);
});

test('an end waits until the replica that hung is gone too, without waiting for its requests', async () => {
  const { keeper, clock, load, replica, stopped, outcome } = await keptReplica();
  load.requests = 1;
  replica(0).hang();
  const goOn = slowStop(replica(0));
  await clock.advance(HUNG_MS);
  keeper.end();
  await clock.advance(0);
  expect([stopped(), outcome()]).toEqual([[false, true], 'it runs']);
  goOn();
  await clock.advance(0);
  expect([stopped(), outcome()]).toEqual([[true, true], 'ended']);
});

test('a start that lacks the memory of a replica that hung waits for its end, and tries again', async () => {
  const runtime = scriptedRuntime();
  const check = () => {
    if (runtime.started.some(({ isStopped }) => !isStopped)) throw noMemory;
  };
  const { clock, load, replica, finishRequests, states, outcome, attempts } = await keptReplica({ runtime, check });
  load.requests = 1;
  replica(0).hang();
  await clock.advance(HUNG_MS);
  expect([attempts(), states(), outcome()]).toEqual([2, 'draining', 'it runs']);
  await finishRequests();
  expect([attempts(), states(), outcome()]).toEqual([3, 'ready', 'it runs']);
});

test('a start that lacks memory while nothing is about to free some fails', async () => {
  const check = () => {
    throw noMemory;
  };
  const { attempts, outcome } = await keptReplica({ check });
  expect([attempts(), outcome()]).toEqual([1, 'Too little memory.']);
});

test('a start that fails for another reason does not wait for a replica that hung', async () => {
  const check = (attempt: number) => {
    if (attempt > 1) throw new Error('no model');
  };
  const { clock, load, replica, attempts, outcome } = await keptReplica({ check });
  load.requests = 1;
  replica(0).hang();
  await clock.advance(HUNG_MS);
  expect([attempts(), outcome()]).toEqual([2, 'no model']);
});

test('an end during a start stops the replica, which is never announced', async () => {
  const runtime = scriptedRuntime();
  const begun = Promise.withResolvers<void>();
  const start = runtime.start.bind(runtime);
  runtime.start = async (spec) => {
    await begun.promise;
    return start(spec);
  };
  const { keeper, clock, changes, stopped, outcome } = await keptReplica({ runtime });
  keeper.end();
  begun.resolve();
  await clock.advance(0);
  expect([stopped(), outcome()]).toEqual([[true], 'ended']);
  expect(changes).toEqual(['draining', 'none']);
});

test('a replica that leaves has no more requests to come, and ends with the last one that it has', async () => {
  const { keeper, load, finishRequests, stopped, states, outcome } = await keptReplica();
  load.requests = 1;
  keeper.leave(10 * MINUTE_MS);
  expect([keeper.state, keeper.untilMs, states(), stopped()]).toEqual(['leaving', 10 * MINUTE_MS, 'draining', [false]]);
  await finishRequests();
  expect([keeper.state, stopped(), states(), outcome()]).toEqual(['ending', [true], 'none', 'ended']);
});

test('a replica that stays serves on, also after the wait for its requests would have ended', async () => {
  const { keeper, clock, load, finishRequests, states, stopped } = await keptReplica();
  load.requests = 1;
  keeper.leave(MINUTE_MS);
  keeper.stay();
  expect([states(), keeper.state]).toEqual(['ready', 'ready']);
  await finishRequests();
  await clock.advance(2 * MINUTE_MS);
  expect([states(), stopped()]).toEqual(['ready', [false]]);
});

test('a replica that crashes while it leaves is not reported to start again, and cannot stay', async () => {
  const { keeper, clock, load, replica, logged, runtime, outcome } = await keptReplica();
  load.requests = 1;
  keeper.leave(MINUTE_MS);
  replica(0).endServing();
  await clock.advance(0);
  expect(keeper.state).toBe('ending'); // nothing puts it back
  replica(0).end({ code: 3 });
  await clock.advance(MINUTE_MS);
  expect([runtime.started.length, logged, outcome()]).toEqual([1, [], 'ended']);
});

test('a stop that fails is logged, and the keeper ends', async () => {
  const { keeper, clock, replica, logged, outcome, states } = await keptReplica();
  replica(0).stop = () => Promise.reject(new Error('no permission'));
  keeper.end();
  await clock.advance(0);
  expect(logged).toEqual([
    expect.stringMatching(/^error endpoint lab\/chat: a replica could not be stopped: .*no permission/),
  ]);
  expect([states(), outcome()]).toEqual(['none', 'ended']);
});

test('the first restart is at once, the next ones wait, and the fourth exit in five minutes is the last', () => {
  const exitsMs = [0, 1_000, 2_000, 3_000];
  expect(exitsMs.map((nowMs, index) => restartDelayMs(exitsMs.slice(0, index + 1), nowMs))).toEqual([
    0,
    1_000,
    5_000,
    null,
  ]);
});

test('exits older than five minutes do not count', () => {
  const minute = 60_000;
  expect(restartDelayMs([0, 1, 2, 6 * minute], 6 * minute)).toBe(0);
  expect(restartDelayMs([], minute)).toBe(0);
});
