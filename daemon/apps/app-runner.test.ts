/** A start that a stop overtakes, with real processes and a robot that wakes when the test says so. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { InstalledApp } from '../contract/apps.ts';
import type { RobotState } from '../contract/robot.ts';
import { createLogger } from '../shared/logger.ts';
import { AppOutput } from './app-output.ts';
import { AppRunner, type AppRunnerDeps } from './app-runner.ts';
import { AppSlot } from './app-slot.ts';
import { StartCancelled } from './errors.ts';

async function runnerOver(source: string, more: Partial<AppRunnerDeps> = {}) {
  const workDir = await mkdtemp(join(tmpdir(), 'runner-'));
  onTestFinished(() => rm(workDir, { recursive: true }));
  await writeFile(join(workDir, 'dance.py'), source);
  const robot = { state: { state: 'asleep' } as RobotState, wakeUp: Promise.withResolvers<'done'>() };
  const publish = () => {};
  const now = () => new Date(0);
  const slot = new AppSlot({ publish, now });
  const output = new AppOutput({ publish, now });
  const runner = new AppRunner({
    findApp: () => ({ app: { name: 'dance', module: 'dance' } as InstalledApp, python: 'python3', workDir }),
    slot,
    output,
    robot: {
      get state() {
        return robot.state;
      },
      wakeUp: () => robot.wakeUp.promise,
      connected: async () => {},
      returnToDefault: async () => 'done',
    },
    childEnvironment: () => ({ PATH: process.env['PATH'] ?? '' }),
    daemonUrl: () => '',
    now,
    log: createLogger('error', () => {}),
    ...more,
  });
  onTestFinished(() =>
    runner.stop({ force: true }).then(
      () => {},
      () => {},
    ),
  );
  return { runner, slot, output, robot };
}

const deaf = 'import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(60)\n';

test('a start waits for the robot, and says so', async () => {
  const { runner, slot, robot } = await runnerOver('import time\ntime.sleep(60)\n');
  const started = runner.start('dance');
  await sleep(50);
  expect(slot.state).toMatchObject({ state: 'starting', detail: 'Waiting for the robot to wake up.' });
  robot.state = { state: 'awake', torque: true } as RobotState;
  robot.wakeUp.resolve('done');
  expect(await started).toMatchObject({ state: 'starting', detail: null });
});

test('a stop ends a start that waits for the robot, and no app is started', async () => {
  const { runner, slot, robot } = await runnerOver(deaf);
  const started = runner.start('dance').catch((error: unknown) => error);
  expect(await runner.stop()).toMatchObject({ state: 'free' });
  expect(await started).toBeInstanceOf(StartCancelled);
  robot.wakeUp.resolve('done');
  await sleep(50);
  expect(slot.state.state).toBe('free');
});

test('a forced stop while the process is being made is still forced', async () => {
  let stopped: Promise<unknown> | undefined;
  const { runner, slot, robot } = await runnerOver(deaf, {
    childEnvironment: () => {
      stopped = runner.stop({ force: true });
      return { PATH: process.env['PATH'] ?? '' };
    },
  });
  robot.state = { state: 'awake', torque: true } as RobotState;
  await runner.start('dance');
  await stopped;
  expect(slot.state).toMatchObject({ state: 'free', lastRun: { outcome: 'killed' } });
});

test('who listens for the stop of a run is told of it', async () => {
  const { runner, output, robot } = await runnerOver(
    'import os, time\nprint(os.environ["ROBOT_RUN_TOKEN"])\ntime.sleep(60)\n',
  );
  robot.state = { state: 'awake', torque: true } as RobotState;
  await runner.start('dance');
  const token = await vi.waitFor(() => output.tail(1, 'stdout')[0] ?? expect.fail('nothing was written'), 5_000);
  const told: string[] = [];
  runner.onStopAsked('of another run', () => told.push('other'));
  runner.onStopAsked(token, () => told.push('ours'));
  await runner.stop({ force: true });
  expect(told).toEqual(['ours']);
});
