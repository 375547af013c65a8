import { expect, test } from 'vitest';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { backwards, somebody } from '../../testing/models/some-endpoints.ts';
import { superviseEndpoint as begin, CHAT } from '../../testing/models/supervised-endpoint.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import type { Requester } from '../states/endpoint-lifecycle.ts';

const MINUTE_MS = 60_000;
const never = new AbortController().signal;

test('an endpoint starts, serves, sleeps once it is unused, and wakes for a request', async () => {
  const { clock, state, acquire, runtime, running, status, supervisor } = await begin();
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready.', readyReplica: 1, targetReplica: 1 });
  expect(runtime.started[0]?.spec).toMatchObject({ threads: 1, variables: { LLAMA_A: 'b' } });
  const first = await acquire();
  expect(first.address).toEqual(runtime.started[0]?.address);
  await clock.advance(60 * MINUTE_MS);
  expect(await state()).toBe('running'); // used all the time
  first.release();
  first.release();
  await clock.advance(15 * MINUTE_MS - 1);
  expect(await state()).toBe('running');
  await clock.advance(1);
  expect([await state(), running()]).toEqual(['scaledToZero', 0]);
  expect(supervisor.peek(CHAT)).toBeNull();
  await clock.advance(60 * MINUTE_MS);
  expect(runtime.started).toHaveLength(1); // nothing but a request wakes it
  const woken = acquire();
  await clock.advance(1_000);
  expect((await woken).id).not.toBe(first.id);
  expect(await state()).toBe('running');
});

test('an endpoint that costs money refuses to be woken by a run whose start was not confirmed, and by no other', async () => {
  const price: { perHour: number | null } = { perHour: 1.2 };
  const { clock, state, supervisor, runtime } = await begin({ price });
  const asks = async (by: Requester | null, waitMs = 60_000) => {
    const asked = supervisor.acquire(CHAT, { waitMs, signal: never, by }).then(
      (backend) => backend.release(),
      ({ message }: Error) => message,
    );
    await clock.advance(1_000);
    return asked;
  };
  const run = { kind: 'run', name: 'dance' } as const;
  const unasked: Requester = { ...run, mayWakePaid: false };
  expect(await asks(unasked)).toBeUndefined(); // it runs: nothing is woken
  const sleeps = async () => {
    await clock.advance(16 * MINUTE_MS);
    expect(await state()).toBe('scaledToZero');
  };
  await sleeps();
  const advice = 'Wake it on its page, or start the app again, which asks you first.';
  expect(await asks(unasked)).toBe(`"chat" is asleep, and costs $1.20 an hour. ${advice}`);
  price.perHour = null;
  expect(await asks(unasked)).toBe(`"chat" is asleep, and costs money while it runs. ${advice}`);
  expect([await state(), runtime.started.length]).toEqual(['scaledToZero', 1]);
  const allowed: readonly (Requester | null)[] = [{ ...run, mayWakePaid: true }, { kind: 'token', name: 'lab' }, null];
  for (const by of allowed) {
    expect(await asks(by)).toBeUndefined();
    expect(await state()).toBe('running');
    await sleeps();
  }
  price.perHour = 0;
  expect(await asks(unasked)).toBeUndefined();
});

test('a run that may not wake an endpoint waits for one that somebody else wakes', async () => {
  const runtime = scriptedRuntime();
  const { clock, supervisor, acquire, newest } = await begin({ runtime, price: { perHour: 1.2 } });
  await clock.advance(16 * MINUTE_MS);
  runtime.isQuick = false;
  const woken = acquire();
  await clock.advance(1_000);
  const by = { kind: 'run', name: 'dance', mayWakePaid: false } as const;
  const waits = supervisor.acquire(CHAT, { waitMs: 60_000, signal: never, by });
  await clock.advance(1_000);
  newest().becomeHealthy();
  await clock.advance(1_000);
  for (const backend of await Promise.all([woken, waits])) backend.release();
});

test('an endpoint is waking from the end of its sleep until it is ready, not while it starts for another reason', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { clock, acquire, newest, supervisor, endpoints, state } = await begin({ runtime });
  const isWaking = async () => {
    const [record] = endpoints.records;
    return record && (await supervisor.report(record)).isWaking;
  };
  expect([await state(), await isWaking()]).toEqual(['initializing', false]);
  newest().becomeHealthy();
  await clock.advance(15 * MINUTE_MS + 1_000);
  expect([await state(), await isWaking()]).toEqual(['scaledToZero', false]);
  const woken = acquire();
  await clock.advance(1_000);
  expect([await state(), await isWaking()]).toEqual(['initializing', true]);
  newest().becomeHealthy();
  await clock.advance(1_000);
  (await woken).release();
  expect([await state(), await isWaking()]).toEqual(['running', false]);
  newest().end({ signal: 'SIGSEGV' });
  await clock.advance(2_000);
  expect([await state(), await isWaking()]).toEqual(['initializing', false]);
});

test('a request waits for another replica than one that it excludes', async () => {
  const { clock, acquire, newest, supervisor } = await begin();
  const first = await acquire();
  first.release();
  let found: string | null = null;
  const exclude = new Set([first.id]);
  const waits = supervisor.acquire(CHAT, { waitMs: 60_000, signal: never, exclude }).then((backend) => {
    found = backend.id;
    backend.release();
  });
  await clock.advance(10_000);
  expect(found).toBeNull();
  newest().end({ signal: 'SIGKILL' });
  await clock.advance(2_000);
  await waits;
  expect([typeof found, found === first.id]).toEqual(['string', false]);
});

test('requests during a start wait and share it, and are refused when it takes too long', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { clock, acquire, newest, state } = await begin({ runtime });
  expect(await state()).toBe('initializing');
  const waiting = [acquire(), acquire(), acquire(5_000)];
  const impatient = expect(waiting[2]).rejects.toMatchObject({ name: 'EndpointUnavailable', retryAfterS: 5 });
  await clock.advance(5_000);
  await impatient;
  await expect(acquire(0)).rejects.toThrow('"chat" is starting. Loading the model.');
  newest().becomeHealthy();
  await clock.advance(1_000);
  const [one, two] = await Promise.all(waiting.slice(0, 2));
  expect(one?.id).toBe(two?.id);
  expect(runtime.started).toHaveLength(1);
});

test('a request that is given up does not keep the endpoint awake', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { clock, supervisor, newest, state } = await begin({ runtime });
  const gone = new AbortController();
  const request = supervisor.acquire(CHAT, { waitMs: 1e9, signal: gone.signal });
  const given = expect(request).rejects.toThrow('gone');
  gone.abort(new Error('gone'));
  await given;
  newest().becomeHealthy();
  await clock.advance(1_000);
  await clock.advance(15 * MINUTE_MS);
  expect(await state()).toBe('scaledToZero');
});

test.each(['a request after a sleep', 'a resume after a pause'] as const)(
  '%s leaves the answers under way their ten seconds, and the next replica starts after them',
  async (what) => {
    const { clock, endpoints, runtime, acquire, state } = await begin();
    await acquire();
    if (what === 'a request after a sleep') {
      await endpoints.apply(CHAT, { type: 'scale-to-zero' }, { by: somebody });
      void acquire();
    } else {
      await endpoints.apply(CHAT, { type: 'pause' }, { by: somebody });
      await endpoints.apply(CHAT, { type: 'resume' }, { by: somebody });
    }
    await clock.advance(9_900);
    expect([await state(), runtime.started.map(({ isStopped }) => isStopped)]).toEqual(['initializing', [false]]);
    await clock.advance(200);
    expect([await state(), runtime.started.map(({ isStopped }) => isStopped)]).toEqual(['running', [true, false]]);
  },
);

test('a start that is tried again says why, until a replica is ready', async () => {
  const runtime = scriptedRuntime();
  runtime.exitsAtOnce = true;
  const { clock, status } = await begin({ runtime });
  expect(await status()).toMatchObject({
    state: 'initializing',
    message: 'The process that serves the model ended with exit code 1. It is started again. Loading the model.',
  });
  runtime.exitsAtOnce = false;
  await clock.advance(6_000);
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready.' });
});

test('a replica that crashes is started again at once, then later, then no more', async () => {
  const { clock, newest, runtime, status, supervisor, endpoints } = await begin();
  const seen: unknown[] = [];
  for (const waitMs of [0, 1_000, 5_000]) {
    newest().end({ signal: 'SIGSEGV' });
    await clock.advance(0);
    seen.push((await status()).state);
    await clock.advance(waitMs);
    await clock.advance(100);
    seen.push((await status()).state);
  }
  expect(seen).toEqual(['running', 'running', 'initializing', 'running', 'initializing', 'running']);
  newest().end({ signal: 'SIGSEGV' });
  await clock.advance(0);
  expect(runtime.started).toHaveLength(4);
  expect(await status()).toMatchObject({
    state: 'failed',
    errorMessage: expect.stringMatching(/ended by SIGSEGV\. It was restarted 3 times in five minutes\. See the log/),
  });
  const [record] = endpoints.records;
  expect(record?.failure).toMatchObject({ reason: 'crashed', evidence: ['started 1003', 'ended 1003'] });
  expect(
    supervisor
      .output(CHAT)
      .page()
      .lines.map(({ text }) => text),
  ).toEqual([1_000, 1_001, 1_002, 1_003].flatMap((pid) => [`started ${pid}`, `ended ${pid}`]));
  expect(record?.life.map(({ kind }) => kind).join(' ')).toBe(
    'created ready starting ready starting ready starting ready starting failed',
  );
  await endpoints.apply(CHAT, { type: 'resume' }, { by: somebody });
  await clock.advance(100);
  expect(await status()).toMatchObject({ state: 'running' });
  expect(endpoints.records[0]?.failure).toBeNull();
});

test('an endpoint that starts again says why its replica ended', async () => {
  const runtime = scriptedRuntime();
  const { clock, newest, status, life } = await begin({ runtime });
  const failure: EndpointFailure = {
    reason: 'container-engine',
    message: 'Somebody removed it.',
    action: '',
    evidence: [],
  };
  newest().end(failure);
  await clock.advance(100);
  newest().end({ code: 3 });
  await clock.advance(100);
  expect(await status()).toMatchObject({
    message: 'The process that serves the model ended with exit code 3. Starting again.',
  });
  await clock.advance(1_000);
  newest().hang();
  await clock.advance(MINUTE_MS);
  expect(life().filter((text) => text.startsWith('starting'))).toEqual([
    'starting: Somebody removed it. It is started again.',
    'starting: The process that serves the model ended with exit code 3. It is started again.',
    'starting: For 20 s the server did not answer its health route in time (2 s). It is started again.',
  ]);
});

test('exits more than five minutes apart do not add up', async () => {
  const { clock, newest, state } = await begin();
  for (let day = 0; day < 10; day++) {
    await clock.advance(6 * MINUTE_MS);
    newest().end({ code: 1 });
    await clock.advance(1_000);
    expect(await state()).toBe('running');
  }
});

test('one of two replicas may end while the other serves', async () => {
  const { clock, runtime, status, acquire } = await begin({
    scaling: { minReplica: 2, maxReplica: 2, scaleToZeroTimeout: null },
  });
  expect(await status()).toMatchObject({ state: 'running', readyReplica: 2, targetReplica: 2 });
  const [one, two] = [await acquire(), await acquire()];
  expect(one.id).not.toBe(two.id);
  runtime.isQuick = false;
  runtime.started[0]?.end({ signal: 'SIGKILL' });
  await clock.advance(100);
  expect(await status()).toMatchObject({ state: 'running', readyReplica: 1, message: 'Ready: 1 of 2 replicas.' });
  runtime.started[2]?.becomeHealthy();
  await clock.advance(1_000);
  expect(await status()).toMatchObject({ state: 'running', readyReplica: 2 });
  await clock.advance(1_000 * MINUTE_MS);
  expect(await status()).toMatchObject({ state: 'running', readyReplica: 2 }); // it never sleeps
});

test('a server that no longer answers is replaced', async () => {
  const { clock, runtime, newest, running } = await begin({
    scaling: { minReplica: 1, maxReplica: 1, scaleToZeroTimeout: null },
  });
  newest().hang();
  await clock.advance(23_000);
  expect(runtime.started).toHaveLength(2);
  expect(running()).toBe(1);
});

test('a model that does not load in ten minutes fails', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { clock, status, running } = await begin({ runtime });
  await clock.advance(11 * MINUTE_MS);
  expect(await status()).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('nothing was written for 10'),
  });
  expect(running()).toBe(0);
});

test('a failed check of the file fails the endpoint with its cause and action, and requests say so', async () => {
  const { acquire, endpoints } = await begin({
    check: () =>
      Promise.reject(new EndpointFailed({ reason: 'model-damaged', message: 'It is cut.', action: 'Copy it again.' })),
  });
  const [record] = endpoints.records;
  expect(record?.endpoint.status).toMatchObject({ state: 'failed', errorMessage: 'It is cut. Copy it again.' });
  expect(record?.failure).toMatchObject({ reason: 'model-damaged', action: 'Copy it again.' });
  await expect(acquire()).rejects.toThrow(/^"chat" has failed: It is cut\. Copy it again\.$/);
});

test('a model larger than the memory is not started', async () => {
  const { status, runtime } = await begin({ check: async () => ({ ...tinyFacts, sizeBytes: 7e9 }) });
  expect(await status()).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('needs at least 7.0 GB of memory, 6.0 GB more than is available'),
  });
  expect(runtime.started).toEqual([]);
});

test('pause ends the processes, resume starts them, and requests do neither', async () => {
  const { clock, endpoints, running, acquire, state } = await begin();
  await endpoints.apply(CHAT, { type: 'pause' }, { by: somebody });
  await clock.advance(100);
  expect(running()).toBe(0);
  await expect(acquire()).rejects.toMatchObject({
    message: '"chat" is paused. Resume it to use it.',
    retryAfterS: null,
  });
  await endpoints.apply(CHAT, { type: 'resume' }, { by: somebody });
  await clock.advance(100);
  expect([running(), await state()]).toEqual([1, 'running']);
});

test('a pause during a start ends it, and a waiting request is refused', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { clock, endpoints, running, acquire } = await begin({ runtime });
  const waiting = expect(acquire()).rejects.toThrow('is paused');
  await endpoints.apply(CHAT, { type: 'pause' }, { by: somebody });
  await clock.advance(100);
  await waiting;
  expect(running()).toBe(0);
});

test('a delete ends the processes first; if the record cannot be removed, the endpoint runs on', async () => {
  const { clock, supervisor, endpoints, running, state } = await begin();
  const failing = supervisor.removeAfterEnd(CHAT, () => Promise.reject(new Error('disk')));
  await expect(failing).rejects.toThrow('disk');
  await clock.advance(100);
  expect([running(), await state()]).toEqual([1, 'running']);
  const runningAtRemoval = supervisor.removeAfterEnd(CHAT, async () => {
    const count = running();
    await endpoints.remove('me', 'chat');
    return count;
  });
  expect(await runningAtRemoval).toBe(0);
  await expect(supervisor.acquire(CHAT, { waitMs: 0, signal: never })).rejects.toThrow('There is no endpoint "chat"');
});

test('a change replaces the replicas once the new ones are ready, and requests under way end first', async () => {
  const { clock, endpoints, runtime, state, acquire } = await begin();
  const old = await acquire();
  runtime.isQuick = false;
  await endpoints.update('me', 'chat', { model: { env: { LLAMA_A: 'c' } } }, somebody);
  await clock.advance(1_000);
  expect(await state()).toBe('updating');
  const during = await acquire();
  expect(during.id).toBe(old.id);
  during.release();
  runtime.started[1]?.becomeHealthy();
  await clock.advance(1_000);
  expect(await state()).toBe('running');
  expect(runtime.started[0]?.isStopped).toBe(false);
  old.release();
  await clock.advance(0);
  expect(runtime.started[0]?.isStopped).toBe(true);
  expect(runtime.started[1]?.spec.variables).toEqual({ LLAMA_A: 'c' });
});

test('a change that fails leaves the earlier replicas in service', async () => {
  const { clock, endpoints, runtime, status, acquire } = await begin();
  runtime.exitsAtOnce = true;
  await endpoints.update('me', 'chat', { model: { env: { LLAMA_A: 'c' } } }, somebody);
  await clock.advance(10_000);
  expect(await status()).toMatchObject({
    state: 'updateFailed',
    errorMessage: expect.stringMatching(/exit code 1.*then pause and resume the endpoint\./),
  });
  expect((await acquire()).address).toEqual(runtime.started[0]?.address);
});

test('a change that is made while an earlier one fails is not taken for the failed one', async () => {
  const { promise: checked, reject } = Promise.withResolvers<never>();
  let checks = 0;
  const check = () => (++checks === 2 ? checked : Promise.resolve(tinyFacts));
  const { clock, endpoints, status, runtime } = await begin({ check });
  await endpoints.update('me', 'chat', { model: { env: { LLAMA_A: 'c' } } }, somebody);
  await clock.advance(1_000);
  const updating = endpoints.update('me', 'chat', { model: { env: { LLAMA_A: 'd' } } }, somebody);
  reject(new EndpointFailed({ reason: 'model-damaged', message: 'The file is cut off.', action: 'Get it again.' }));
  await updating;
  await clock.advance(1_000);
  expect(await status()).toMatchObject({ state: 'running' });
  expect(endpoints.record(CHAT)?.failure).toBeNull();
  expect(runtime.started.at(-1)?.spec.variables).toEqual({ LLAMA_A: 'd' });
});

test('a change that is made while an earlier one becomes ready keeps the ready replicas in service', async () => {
  const { promise: sealed, resolve } = Promise.withResolvers<string>();
  const secrets = { ...backwards, encrypt: () => sealed };
  const { clock, endpoints, runtime, acquire, state } = await begin({ secrets });
  runtime.isQuick = false;
  await endpoints.update('me', 'chat', { model: { env: { LLAMA_A: 'c' } } }, somebody);
  await clock.advance(1_000);
  const updating = endpoints.update('me', 'chat', { model: { secrets: { LLAMA_B: 'd' } } }, somebody);
  runtime.started[1]?.becomeHealthy();
  await clock.advance(1_000);
  resolve('sealed:d');
  await updating;
  await clock.advance(1_000);
  expect([runtime.started.length, await state()]).toEqual([3, 'updating']);
  const during = await acquire(0);
  expect(during.address).toEqual(runtime.started[1]?.address);
  during.release();
  runtime.started[2]?.becomeHealthy();
  await clock.advance(1_000);
  expect([await state(), runtime.started[1]?.isStopped]).toEqual(['running', true]);
});

test('an endpoint that is changed while its start fails is started again', async () => {
  const { promise: checked, reject } = Promise.withResolvers<never>();
  let checks = 0;
  const check = () => (++checks === 1 ? checked : Promise.resolve(tinyFacts));
  const { clock, endpoints, status } = await begin({ check });
  const updating = endpoints.update('me', 'chat', { model: { env: { LLAMA_A: 'd' } } }, somebody);
  reject(new EndpointFailed({ reason: 'model-damaged', message: 'The file is cut off.', action: 'Get it again.' }));
  await updating;
  await clock.advance(1_000);
  expect(await status()).toMatchObject({ state: 'running' });
});

test('a change of scaling or access needs no new process', async () => {
  const { clock, endpoints, runtime, state } = await begin();
  await endpoints.update('me', 'chat', { type: 'public', compute: { scaling: { scaleToZeroTimeout: 1 } } }, somebody);
  await clock.advance(100);
  expect([await state(), runtime.started.length]).toEqual(['running', 1]);
  await clock.advance(MINUTE_MS);
  expect(await state()).toBe('scaledToZero');
});

test('after a restart of the daemon an endpoint sleeps, and one that may not sleep starts', async () => {
  for (const [minReplica, expected] of [
    [0, 'scaledToZero'],
    [1, 'running'],
  ] as const) {
    const scaling = { minReplica, scaleToZeroTimeout: minReplica > 0 ? null : 15 };
    const { folder, supervisor, running } = await begin({ scaling });
    await supervisor.close();
    expect(running()).toBe(0);
    const { state } = await begin({ folder });
    expect(await state()).toBe(expected);
  }
});

test('a first start that was interrupted goes on after a restart of the daemon', async () => {
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const { folder, supervisor } = await begin({ runtime });
  await supervisor.close();
  const { state } = await begin({ folder });
  expect(await state()).toBe('running');
});

test('a timeout of 0 lets an endpoint sleep as soon as it is unused', async () => {
  const { state, acquire, clock } = await begin({ scaling: { scaleToZeroTimeout: 0 } });
  expect(await state()).toBe('scaledToZero');
  const woken = acquire();
  await clock.advance(1_000);
  expect(await state()).toBe('running');
  (await woken).release();
  await clock.advance(0);
  expect(await state()).toBe('scaledToZero');
});
