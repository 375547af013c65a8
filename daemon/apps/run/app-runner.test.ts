/** Starts, stops and restarts that overlap, with real processes and a robot that wakes when the test says so. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { RobotState } from '../../contract/robot/robot.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { danceApp, runnerOver } from '../../testing/apps/test-runner.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { AppNotInstalled } from '../installed/errors.ts';
import type { AppRunnerDeps } from './app-runner.ts';
import { AppAlreadyRunning, NotOurApp, StartCancelled, VariablesUnreadable } from './errors.ts';

const waits = 'import time\nprint("up", flush=True)\ntime.sleep(60)\n';
const deaf = 'import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(60)\n';
test('a start waits for the robot, and says so', async () => {
  const madeWhile: string[] = [];
  const { runner, slot, robot } = await runnerOver(waits, {
    childEnvironment: () => {
      madeWhile.push(robot.state.state);
      return { PATH: process.env['PATH'] ?? '' };
    },
  });
  const started = runner.start('dance');
  await vi.waitFor(() =>
    expect(slot.state).toMatchObject({
      state: 'starting',
      detail: 'Waiting for the robot to wake up.',
      until: '1970-01-01T00:00:30.000Z',
    }),
  );
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  robot.wakeUp.resolve('done');
  expect(await started).toMatchObject({ state: 'starting', detail: null, until: null });
  expect(madeWhile).toEqual(['awake']);
});

test('gotos that still run yield to the app before it starts, also on a robot that is awake', async () => {
  const { runner, robot } = await runnerOver(waits);
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  await runner.start('dance');
  expect(robot.calls).toEqual(['yieldGotos']);
});

test('a robot whose wake-up failed with its motors on is woken before an app starts', async () => {
  const { runner, robot, slot } = await runnerOver(waits);
  const failed = { state: 'awake', torque: true, connected: true, reason: 'The wake-up failed: A motor is silent.' };
  robot.state = failed as RobotState;
  const started = runner.start('dance');
  await vi.waitFor(() => expect(slot.state).toMatchObject({ detail: 'Waiting for the robot to wake up.' }));
  robot.wakeUp.resolve('done');
  expect(await started).toMatchObject({ state: 'starting', detail: null });
});

test('a start waits for a robot that is not connected yet, and says why', async () => {
  const { runner, slot, robot } = await runnerOver(waits);
  robot.state = { state: 'disconnected', connected: false, reason: 'The robot is starting up.' } as RobotState;
  const started = runner.start('dance');
  await vi.waitFor(() =>
    expect(slot.state).toMatchObject({ detail: 'Waiting for the robot. The robot is starting up.' }),
  );
  robot.state = { state: 'waking', connected: true, reason: null } as RobotState;
  await vi.waitFor(() => expect(slot.state).toMatchObject({ detail: 'Waiting for the robot to wake up.' }));
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  robot.wakeUp.resolve('done');
  expect(await started).toMatchObject({ state: 'starting', detail: null, until: null });
});

test('a stop ends a start that waits for the robot, and no app is started', async () => {
  const clock = movableClock();
  const made: string[] = [];
  const { runner, slot, robot } = await runnerOver(deaf, {
    clock,
    childEnvironment: () => {
      made.push('a process');
      return { PATH: process.env['PATH'] ?? '' };
    },
  });
  const started = runner.start('dance').catch((error: unknown) => error);
  await vi.waitFor(() => expect(slot.state).toMatchObject({ detail: 'Waiting for the robot to wake up.' }));
  expect(await runner.stop()).toMatchObject({ state: 'free' });
  expect(await started).toBeInstanceOf(StartCancelled);
  robot.wakeUp.resolve('done');
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  await clock.pass(60_000);
  expect([slot.state.state, made]).toEqual(['free', []]);
});

test('a forced stop while the process is being made is still forced', async () => {
  let stopped: Promise<unknown> | undefined;
  const { runner, slot, robot } = await runnerOver(deaf, {
    childEnvironment: () => {
      stopped = runner.stop({ force: true });
      return { PATH: process.env['PATH'] ?? '' };
    },
  });
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  await runner.start('dance');
  await stopped;
  expect(slot.state).toMatchObject({ state: 'free', lastRun: { outcome: 'killed' } });
});

test('a listener is called when a run is asked to stop', async () => {
  const { runner, output, robot } = await runnerOver(
    'import os, time\nprint(os.environ["ROBOT_RUN_TOKEN"])\ntime.sleep(60)\n',
  );
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  await runner.start('dance');
  const token = await vi.waitFor(() => output.newest(1)[0]?.text ?? expect.fail('nothing was written'));
  const stopped: string[] = [];
  expect(runner.runWith('of another run')).toBeNull();
  runner.runWith(token)?.onStopAsked(() => stopped.push('ours'));
  await runner.stop({ force: true });
  expect(stopped).toEqual(['ours']);
});

describe('another app in its place', () => {
  /** With an awake robot and "dance" running, which ends at a SIGINT. */
  async function dancing(more?: Partial<AppRunnerDeps>) {
    const over = await runnerOver(waits, more);
    over.robot.state = { state: 'awake', torque: true, reason: null, connected: true } as RobotState;
    await over.runner.start('dance');
    // Python may ignore a SIGINT while it is starting.
    await vi.waitFor(() => expect(over.output.last).toBe(1));
    over.slots.length = 0;
    return over;
  }
  const failed = (started: Promise<unknown>) =>
    started.then(
      () => 'started',
      (error: unknown) => error,
    );

  test('a restart runs the same app again, and the slot is never free meanwhile', async () => {
    const { runner, slot, slots } = await dancing();
    const before = slot.state;
    expect(await runner.restart()).toMatchObject({ state: 'starting', holder: { appName: 'dance' } });
    expect(slot.state).not.toMatchObject({ holder: 'holder' in before && before.holder });
    expect(slots.map(({ state }) => state)).not.toContain('free');
    expect(await runner.stop({ force: true })).toMatchObject({ lastRun: { appName: 'dance' } });
  });

  test('nothing takes the place of an app that is restarted', async () => {
    let tries = 0;
    const { runner, slot } = await dancing({
      onRunEnded: async () => {
        for (; tries < 20; tries++) {
          expect(() => slot.take({ kind: 'local-app', name: 'sneaky.py' })).toThrow(AppAlreadyRunning);
          await expect(runner.start('startup_app')).rejects.toBeInstanceOf(AppAlreadyRunning);
          await nextTurn();
        }
      },
    });
    expect(await runner.restart()).toMatchObject({ holder: { appName: 'dance' } });
    expect(tries).toBe(20);
  });

  test('a stop during a restart cancels it, and the restart is rejected', async () => {
    const clock = movableClock();
    const { runner, slot, slots } = await dancing({ clock });
    const restarted = failed(runner.restart());
    expect(await runner.stop()).toMatchObject({ state: 'free', lastRun: { outcome: 'stopped' } });
    expect(await restarted).toBeInstanceOf(StartCancelled);
    slots.length = 0;
    await clock.pass(60_000);
    expect([slot.state.state, slots]).toEqual(['free', []]);
  });

  test('a stop while the successor waits for the robot cancels it too', async () => {
    const over = await dancing({
      onRunEnded: () => {
        over.robot.state = { state: 'asleep', connected: true } as RobotState;
      },
    });
    const restarted = failed(over.runner.restart());
    await vi.waitFor(() => expect(over.slot.state).toMatchObject({ detail: 'Waiting for the robot to wake up.' }));
    expect(await over.runner.stop()).toMatchObject({ state: 'free' });
    expect(await restarted).toBeInstanceOf(StartCancelled);
  });

  test('a restart during a stop is refused', async () => {
    const { runner } = await dancing();
    const stopped = runner.stop();
    await expect(runner.restart()).rejects.toBeInstanceOf(StartCancelled);
    expect(await stopped).toMatchObject({ state: 'free' });
  });

  test('concurrent restarts are one', async () => {
    const { runner, slot } = await dancing();
    const states = await Promise.all([runner.restart(), runner.restart(), runner.start('dance', { replace: true })]);
    for (const state of states) expect(state).toEqual(states[0]);
    expect(slot.state).toMatchObject({ holder: { appName: 'dance' } });
  });

  test('of two successors, the first one requested gets the slot', async () => {
    const { runner, slot } = await dancing();
    const [wave, nod] = await Promise.all(['wave', 'nod'].map((name) => failed(runner.start(name, { replace: true }))));
    expect([wave, (nod as Error).message]).toEqual([
      'started',
      'An app is already running: "wave". Stop the current app first.',
    ]);
    expect(slot.state).toMatchObject({ holder: { appName: 'wave' } });
  });

  test('an app is replaced only on request, and only by an installed app', async () => {
    const { runner, slot } = await dancing();
    const before = slot.state;
    await expect(runner.start('wave')).rejects.toBeInstanceOf(AppAlreadyRunning);
    await expect(runner.start('nobody', { replace: true })).rejects.toBeInstanceOf(AppNotInstalled);
    expect(slot.state).toEqual(before);
  });

  test('a program that was not started here is not replaced, nor restarted', async () => {
    const { runner, slot } = await runnerOver(waits);
    slot.take({ kind: 'local-app', name: 'my_script.py' });
    await expect(runner.start('dance', { replace: true })).rejects.toBeInstanceOf(NotOurApp);
    await expect(runner.restart()).rejects.toBeInstanceOf(NotOurApp);
  });

  test('a replacement requested during a stop follows the stop', async () => {
    const { runner, slot } = await dancing();
    const stopped = runner.stop();
    const started = runner.start('wave', { replace: true });
    expect(await stopped).toMatchObject({ state: 'free', lastRun: { appName: 'dance' } });
    expect(await started).toMatchObject({ holder: { appName: 'wave' } });
    expect(slot.state).toMatchObject({ holder: { appName: 'wave' } });
  });

  test('an app that is removed meanwhile leaves the slot free, and says so', async () => {
    let isThere = true;
    const over = await runnerOver(waits);
    const { runner, slot } = await dancing({
      findApp: (name) => {
        if (name === 'wave' && !isThere) throw new AppNotInstalled(name);
        return {
          app: danceApp(name),
          python: 'python3',
          workDir: over.workDir,
        };
      },
      onRunEnded: () => {
        isThere = false;
      },
    });
    await expect(runner.start('wave', { replace: true })).rejects.toBeInstanceOf(AppNotInstalled);
    expect(slot.state).toMatchObject({ state: 'free', lastRun: { appName: 'dance' } });
  });
});

test('onRunEnded is called while the run holds the slot, and its failure does not change the run', async () => {
  const ended: string[] = [];
  const { runner, slot, robot } = await runnerOver('', {
    onRunEnded: (run) => {
      ended.push(`${run.appName} ${run.version} ${run.outcome}, slot ${slot.state.state}`);
      throw new Error('no judge');
    },
  });
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  await runner.start('dance');
  await vi.waitFor(() => expect(slot.state.state).toBe('free'));
  expect(ended).toEqual(['dance 1.0.0 finished, slot stopping']);
});

test('a secret that cannot be read ends the start, and the slot is free', async () => {
  const { runner, slot } = await runnerOver(waits, {
    variables: {
      environment: async (name) => {
        throw new VariablesUnreadable(name, ['HF_TOKEN']);
      },
    },
  });
  await expect(runner.start('dance')).rejects.toThrow(
    'The secret HF_TOKEN of "dance" cannot be read. Set HF_TOKEN again.',
  );
  expect(slot.state).toEqual({ state: 'free', lastRun: null });
});

test('while nothing can be saved, no app starts, and the running one is not stopped for another', async () => {
  let isFull = true;
  const requireRoom = async () => {
    if (isFull) throw new DiskFull('/data');
  };
  const { runner, slot, robot } = await runnerOver(waits, { requireRoom });
  robot.state = { state: 'awake', torque: true, reason: null } as RobotState;
  await expect(runner.start('dance')).rejects.toBeInstanceOf(DiskFull);
  expect(slot.state).toEqual({ state: 'free', lastRun: null });
  isFull = false;
  await runner.start('dance');
  isFull = true;
  await expect(runner.restart()).rejects.toBeInstanceOf(DiskFull);
  await expect(runner.start('wave', { replace: true })).rejects.toBeInstanceOf(DiskFull);
  expect(slot.state).toMatchObject({ state: 'starting', holder: { appName: 'dance' } });
  await runner.stop({ force: true });
});
