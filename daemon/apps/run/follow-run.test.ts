/** A run whose process the test ends, and the time that its SDK has to say hello. */
import { expect, test } from 'vitest';
import type { RobotState } from '../../contract/robot/robot.ts';
import { createLogger } from '../../shared/logger.ts';
import { danceApp } from '../../testing/apps/test-runner.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import type { AppLaunch } from '../installed/app-launch.ts';
import { AppOutput } from './app-output.ts';
import { AppSlot } from './app-slot.ts';
import { type FollowRunDeps, followRun } from './follow-run.ts';
import type { AppExit, AppProcess } from './process/app-process.ts';
import { RunUnderWay } from './run-under-way.ts';

/** A run of the app `dance` that has just started. */
function followed() {
  const clock = manualClock();
  const slot = new AppSlot({ publish: () => {}, now: clock.now });
  const launch: AppLaunch = {
    app: { ...danceApp('dance'), settingsPage: { port: 8042, path: '/' } },
    python: '',
    workDir: '',
  };
  const target = { appName: 'dance', find: () => launch };
  const run = new RunUnderWay({ target, launch, occupy: (holder) => slot.take(holder), clock });
  const exit = Promise.withResolvers<AppExit>();
  const deps = {
    output: new AppOutput({ publish: () => {}, clock }),
    history: { end: async () => {} },
    needs: { afterRun: async () => [] },
    robot: { state: { connected: true } as RobotState, returnToDefault: async () => 'done' },
    onRunEnded: () => {},
    sdkVersion: () => '1.0.0',
    clock,
    log: createLogger('error', () => {}),
  } as unknown as FollowRunDeps;
  const process = { exited: exit.promise, pid: 1, variablesSet: [] } as unknown as AppProcess;
  const ended = followRun(run, process, [], deps);
  const ends = () => {
    exit.resolve({ code: 0, signal: null, isOutOfMemory: false, killed: false, leftovers: 0, killedProcesses: [] });
    return ended;
  };
  return { clock, run, slot, ends };
}

test('an app that does not say hello within ten seconds still loads; what it loads is named; then it runs', async () => {
  const { clock, slot, run } = followed();
  await clock.advance(9_999);
  expect(slot.state).toMatchObject({ state: 'starting', sdk: 'waiting' });
  await clock.advance(1);
  expect(slot.state).toMatchObject({ state: 'starting', sdk: 'silent', detail: 'Still loading.' });
  run.loads('torch');
  expect(slot.state).toMatchObject({ state: 'starting', detail: 'Still loading, now torch.' });
  run.hello();
  expect(slot.state).toMatchObject({ state: 'running', sdk: 'connected', detail: null });
  await clock.advance(10_000);
  run.loads('numpy');
  expect(slot.state).toMatchObject({ state: 'running', detail: null });
});

test('what an app has begun to load within its ten seconds is named after them', async () => {
  const { clock, slot, run } = followed();
  run.loads('torch');
  expect(slot.state).toMatchObject({ state: 'starting', detail: null });
  await clock.advance(10_000);
  expect(slot.state).toMatchObject({ state: 'starting', detail: 'Still loading, now torch.' });
});

test('an app that commands the robot without its SDK runs', async () => {
  const { clock, slot, run } = followed();
  run.isKnownToRun();
  await clock.advance(10_000);
  expect(slot.state).toMatchObject({ state: 'running', sdk: 'silent', detail: null });
});

test('a run has the port of its own page, unless another program has it', () => {
  const { run, slot } = followed();
  expect(run.pagePort).toBe(8042);
  for (const [presence, port] of [
    ['port-taken', null],
    ['waiting', null],
    ['answers', 8042],
    ['waiting', 8042],
  ] as const) {
    run.pageIs(presence);
    expect([run.pagePort, slot.state]).toEqual([port, expect.objectContaining({ settingsPage: presence })]);
  }
});

test('an app whose settings page answers runs, also without its SDK', async () => {
  const { clock, slot, run } = followed();
  run.pageIs('answers');
  expect(slot.state).toMatchObject({ state: 'running', sdk: 'waiting' });
  await clock.advance(10_000);
  expect(slot.state).toMatchObject({ state: 'running', sdk: 'silent', detail: null });
});

test('an app that has said hello, is asked to stop or has ended does not become silent', async () => {
  const [hello, stopping, ended] = [followed(), followed(), followed()];
  hello.run.hello();
  stopping.run.stop({ interruptGroupMs: 1, killMs: 2 });
  expect(await ended.ends()).toMatchObject({ outcome: 'finished' });
  for (const { clock } of [hello, stopping, ended]) await clock.advance(60_000);
  expect([hello, stopping, ended].map(({ slot }) => slot.state)).toMatchObject([
    { state: 'running', sdk: 'connected' },
    { state: 'stopping', sdk: 'waiting' },
    { state: 'stopping', sdk: 'waiting' },
  ]);
});
