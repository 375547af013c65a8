/** Starts of apps that use endpoints, with real processes and endpoints that change when the test says so. */
import { describe, expect, test, vi } from 'vitest';
import type { AssignedNeed } from '../../contract/apps/needs.ts';
import type { RobotState } from '../../contract/robot/robot.ts';
import { systemClock } from '../../shared/clock.ts';
import { endpointRef, FakeEndpoints, needFor } from '../../testing/apps/fake-endpoints.ts';
import { danceApp, runnerOver } from '../../testing/apps/test-runner.ts';
import { NeedUnmet } from '../needs/errors.ts';
import type { AppRunnerDeps } from './app-runner.ts';
import { AppAlreadyRunning, StartCancelled } from './errors.ts';

const waits = 'import time\nprint("up", flush=True)\ntime.sleep(60)\n';
const asleep = { state: 'scaledToZero', message: 'Asleep. The next request wakes it.' } as const;
const loading = { state: 'initializing', message: 'Loading the model.' } as const;
const running = { state: 'running', message: 'Ready.' } as const;

/** A runner whose app `dance` has these needs; the robot is awake. */
async function dancing(needs: readonly AssignedNeed[], source = waits, more: Partial<AppRunnerDeps> = {}) {
  const endpoints = new FakeEndpoints();
  let workDir = '';
  const over = await runnerOver(source, {
    findApp: (name) => ({
      app: danceApp(name, { needs: name === 'dance' ? [...needs] : [] }),
      python: 'python3',
      workDir,
    }),
    needs: endpoints.needs(),
    ...more,
  });
  workDir = over.workDir;
  over.robot.state = { state: 'awake', torque: true, reason: null, connected: true } as RobotState;
  const ended = () => vi.waitFor(() => expect(over.slot.state.state).toBe('free'), { timeout: 5_000 });
  const lastRun = () => (over.slot.state.state === 'free' ? over.slot.state.lastRun : null);
  return { ...over, endpoints, ended, lastRun };
}

const chat = needFor('chat', 'lab/chat');

test('an app whose endpoints are ready starts as any other, with their variables', async () => {
  const source = 'import json, os\nprint(json.dumps({k: v for k, v in os.environ.items() if "ENDPOINT" in k}))\n';
  const { runner, endpoints, output, ended } = await dancing([chat, needFor('embed', '', true)], source);
  endpoints.set('lab/chat', running);
  expect(await runner.start('dance')).toMatchObject({ state: 'starting', detail: null });
  await ended();
  expect(JSON.parse(output.newest(1)[0]?.text ?? '')).toEqual({
    ROBOT_ENDPOINT_CHAT_URL: 'http://127.0.0.1:8000/endpoints/lab/chat/v1',
    ROBOT_ENDPOINT_CHAT_MODEL: 'model-of-chat',
    ROBOT_ENDPOINT_CHAT_KEY: '••••••',
    ROBOT_ENDPOINT_CHAT_NAME: 'lab/chat',
  });
  expect(endpoints.calls).toEqual([]);
  expect(endpoints.keys.map(({ ended }) => ended.aborted)).toEqual([true]);
});

describe('an endpoint that sleeps', () => {
  test('is woken while the slot says so; the start has long been answered', async () => {
    let nowMs = 0;
    const clock = { ...systemClock, now: () => new Date(nowMs) };
    const { runner, slot, endpoints } = await dancing([chat], waits, { clock });
    endpoints.set('lab/chat', asleep);
    const started = await runner.start('dance');
    expect(started).toMatchObject({ state: 'starting', until: '1970-01-01T00:10:00.000Z' });
    expect(slot.state).toMatchObject({ detail: 'Waking lab/chat.' });
    expect(endpoints.wokenBy).toEqual(['dance']);
    endpoints.set('lab/chat', loading);
    expect(slot.state).toMatchObject({ state: 'starting', detail: 'Waking lab/chat. Loading the model.' });
    expect(endpoints.keys).toEqual([]);
    nowMs = 60_000;
    endpoints.set('lab/chat', running);
    await vi.waitFor(() => expect(endpoints.keys).toHaveLength(1));
    // From here on it is the app itself that takes its time.
    const since = '1970-01-01T00:01:00.000Z';
    await vi.waitFor(() => expect(slot.state).toMatchObject({ detail: null, until: null, since }));
    expect(endpoints.keys[0]?.ended.aborted).toBe(false);
    await runner.stop({ force: true });
    expect(endpoints.keys[0]?.ended.aborted).toBe(true);
  });

  test('is left alone by a stop, which frees the slot at once', async () => {
    const { runner, slot, endpoints, history } = await dancing([chat]);
    endpoints.set('lab/chat', loading);
    await runner.start('dance');
    expect(await runner.stop()).toMatchObject({ state: 'free' });
    expect(endpoints.calls).toEqual(['wake lab/chat', 'given up lab/chat']);
    expect(endpoints.all.get('lab/chat')).toEqual(loading);
    expect(history.list({ limit: 9 })).toMatchObject([
      { appName: 'dance', outcome: 'stopped', message: 'Stopped before it had started.', diagnosis: null },
    ]);
    endpoints.set('lab/chat', running);
    expect(slot.state.state).toBe('free');
    await runner.start('dance'); // what the stopped start might still do would come before this has started
    expect(endpoints.keys).toHaveLength(1);
  });

  test.each([
    ['fails', { state: 'failed', message: 'The file is damaged.' } as const, 'It has failed: The file is damaged.'],
    ['is deleted', null, '"chat" is being deleted.'],
  ])('%s: the run is recorded with the endpoint as its cause', async (_how, next, reason) => {
    const judged: string[] = [];
    const { runner, endpoints, history, ended } = await dancing([chat], waits, {
      onRunEnded: ({ runId }) => void judged.push(runId),
    });
    endpoints.set('lab/chat', asleep);
    await runner.start('dance');
    endpoints.set('lab/chat', next);
    await ended();
    const message = `The endpoint lab/chat, which it uses for "chat", did not become ready. ${reason}`;
    expect(history.list({ limit: 9 })).toMatchObject([
      {
        ...{ appName: 'dance', outcome: 'crashed', exitCode: null, message },
        diagnosis: { cause: 'endpoint-failed', message, endpoint: endpointRef('lab/chat') },
      },
    ]);
    expect(history.crashes).toMatchObject([{ seen: false }]);
    expect(endpoints.keys).toEqual([]);
    expect(judged).toEqual([]); // it says nothing about an update of the app
    await expect(history.output(history.newest?.runId ?? '')).resolves.toMatchObject({ kept: 0 });
  });

  test('may take long: other failures after it are recorded too', async () => {
    const { runner, robot, endpoints, history, ended } = await dancing([chat]);
    endpoints.set('lab/chat', asleep);
    await runner.start('dance');
    robot.state = { state: 'error', connected: true, reason: 'A motor is hot.' } as RobotState;
    robot.wakeUp.resolve('done');
    endpoints.set('lab/chat', running);
    await ended();
    expect(history.newest).toMatchObject({ outcome: 'crashed', diagnosis: { cause: 'robot-lost' } });
  });

  test('a shutdown ends the wait', async () => {
    const { runner, slot, endpoints, history } = await dancing([chat]);
    endpoints.set('lab/chat', asleep);
    await runner.start('dance');
    await runner.shutDown({ interruptGroupMs: 0, killMs: 0 });
    expect(slot.state.state).toBe('free');
    expect(history.newest).toMatchObject({ outcome: 'stopped' });
  });
});

test('of two endpoints that sleep both are woken at once, and both are waited for', async () => {
  const { runner, slot, endpoints } = await dancing([chat, needFor('judge', 'lab/big'), needFor('again', 'lab/chat')]);
  endpoints.set('lab/chat', asleep);
  endpoints.set('lab/big', { state: 'pending', message: 'Waiting to start.' });
  await runner.start('dance');
  expect(endpoints.calls).toEqual(['wake lab/chat', 'wake lab/big']);
  expect(slot.state).toMatchObject({
    detail: 'Waking lab/chat. Waiting for lab/big. Waiting to start.',
  });
  endpoints.set('lab/chat', running);
  await vi.waitFor(() => expect(slot.state).toMatchObject({ detail: 'Waiting for lab/big. Waiting to start.' }));
  expect(endpoints.keys).toEqual([]);
  endpoints.set('lab/big', running);
  await vi.waitFor(() => expect(endpoints.keys).toHaveLength(3)); // a key for each need
  expect(new Set(endpoints.keys.map(({ key }) => key)).size).toBe(3);
});

test('when one of two endpoints fails, the other is no longer waited for', async () => {
  const { runner, endpoints, ended } = await dancing([chat, needFor('judge', 'lab/big')]);
  endpoints.set('lab/chat', asleep);
  endpoints.set('lab/big', asleep);
  await runner.start('dance');
  endpoints.set('lab/big', { state: 'failed', message: 'No memory.' });
  await ended();
  expect(endpoints.calls).toEqual(['wake lab/chat', 'wake lab/big', 'given up lab/big', 'given up lab/chat']);
});

test('an optional endpoint that sleeps is woken, and not waited for', async () => {
  const { runner, endpoints } = await dancing([needFor('chat', 'lab/chat', true)]);
  endpoints.set('lab/chat', asleep);
  await runner.start('dance');
  expect(endpoints.calls).toEqual(['wake lab/chat']);
  expect(endpoints.keys).toHaveLength(1);
  await runner.stop({ force: true });
  expect(endpoints.calls).toEqual(['wake lab/chat', 'given up lab/chat']);
});

describe('another start while an app runs', () => {
  test('is refused before the running app is stopped, when its needs are not met', async () => {
    const { runner, slot, endpoints } = await dancing([needFor('chat', '')]);
    await runner.start('wave');
    await expect(runner.start('dance')).rejects.toBeInstanceOf(AppAlreadyRunning);
    await expect(runner.start('dance', { replace: true })).rejects.toBeInstanceOf(NeedUnmet);
    expect(slot.state).toMatchObject({ holder: { appName: 'wave' } });
    expect(endpoints.calls).toEqual([]);
  });

  test('replaces it and wakes its endpoints; a replacement of that start gives up the wait', async () => {
    const { runner, slot, endpoints } = await dancing([chat]);
    endpoints.set('lab/chat', asleep);
    await runner.start('wave');
    expect(await runner.start('dance', { replace: true })).toMatchObject({
      ...{ state: 'starting', holder: { appName: 'dance' } },
    });
    expect(slot.state).toMatchObject({ detail: expect.stringContaining('Waking lab/chat.') });
    expect(await runner.start('wave', { replace: true })).toMatchObject({ holder: { appName: 'wave' } });
    expect(endpoints.calls).toEqual(['wake lab/chat', 'given up lab/chat']);
  });

  test('a restart while the endpoints wake begins the wait again', async () => {
    const { runner, slot, endpoints } = await dancing([chat]);
    endpoints.set('lab/chat', asleep);
    const first = await runner.start('dance');
    const again = await runner.restart();
    expect(again).toMatchObject({ state: 'starting', holder: { appName: 'dance' } });
    expect(again).not.toEqual(first);
    expect(endpoints.calls).toEqual(['wake lab/chat', 'given up lab/chat', 'wake lab/chat']);
    endpoints.set('lab/chat', running);
    await vi.waitFor(() => expect(endpoints.keys).toHaveLength(1));
    expect(slot.state).toMatchObject({ holder: { appName: 'dance' } });
  });

  test('a restart is refused, and the app goes on, when its endpoint is gone', async () => {
    const { runner, slot, endpoints } = await dancing([chat]);
    endpoints.set('lab/chat', running);
    await runner.start('dance');
    endpoints.set('lab/chat', null);
    await expect(runner.restart()).rejects.toMatchObject({ code: 'endpoint-missing' });
    expect(slot.state).toMatchObject({ state: 'starting', holder: { appName: 'dance' } });
  });

  test('two starts at once: one gets the slot', async () => {
    const { runner, endpoints } = await dancing([chat]);
    endpoints.set('lab/chat', asleep);
    const results = await Promise.allSettled([runner.start('dance'), runner.start('dance')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(results[1]).toMatchObject({ reason: expect.any(AppAlreadyRunning) });
    expect(endpoints.calls).toEqual(['wake lab/chat']);
  });
});

test('an endpoint that is deleted between the check and the start refuses the start', async () => {
  const { runner, slot, endpoints } = await dancing([chat], waits, {
    requireRoom: async () => endpoints.set('lab/chat', null),
  });
  endpoints.set('lab/chat', running);
  await expect(runner.start('dance')).rejects.toMatchObject({ code: 'endpoint-missing' });
  expect(slot.state.state).toBe('free');
});

test('a stop while the endpoint is looked up cancels the start', async () => {
  const looked = Promise.withResolvers<void>();
  const { runner, slot, endpoints } = await dancing([chat], waits, { requireRoom: () => looked.promise });
  endpoints.set('lab/chat', asleep);
  const started = runner.start('dance').catch((error: unknown) => error);
  await vi.waitFor(() => expect(slot.state.state).toBe('starting'));
  const stopped = runner.stop();
  looked.resolve();
  expect(await started).toBeInstanceOf(StartCancelled);
  expect(await stopped).toMatchObject({ state: 'free' });
  expect(endpoints.calls).toEqual([]);
});

test('the keys of a run that crashes, or cannot be started, are ended', async () => {
  const crashing = await dancing([chat], 'raise SystemExit(3)');
  crashing.endpoints.set('lab/chat', running);
  await crashing.runner.start('dance');
  await crashing.ended();
  expect(crashing.endpoints.keys.map(({ ended }) => ended.aborted)).toEqual([true]);
  const broken = await dancing([chat], waits, {
    findApp: (name) => ({ app: danceApp(name, { needs: [chat] }), python: '/no/python', workDir: '/tmp' }),
  });
  broken.endpoints.set('lab/chat', running);
  await expect(broken.runner.start('dance')).rejects.toThrow('could not be started');
  expect(broken.endpoints.keys.map(({ ended }) => ended.aborted)).toEqual([true]);
});
