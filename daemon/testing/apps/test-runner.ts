import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AppNotInstalled } from '../../apps/installed/errors.ts';
import { AppOutput } from '../../apps/run/app-output.ts';
import { AppRunner, type AppRunnerDeps } from '../../apps/run/app-runner.ts';
import { AppSlot } from '../../apps/run/app-slot.ts';
import { RunHistory } from '../../apps/run/run-history.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { RobotState } from '../../contract/robot/robot.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';

const noNeeds: AppRunnerDeps['needs'] = {
  bind: async () => [],
  untilReady: async () => {},
  environment: () => ({ environment: {}, secrets: [] }),
  afterRun: async () => [],
};

/** An app whose module is `dance`. */
export const danceApp = (name: string, more: Partial<InstalledApp> = {}) =>
  ({
    ...{ name, module: 'dance', version: '1.0.0', needs: [], source: { kind: 'sample', sample: 'dance' } },
    ...more,
  }) as unknown as InstalledApp;

/**
 * A runner with real processes, and a robot that wakes when the test says so. The app `nobody` is not installed.
 * @param source the program of every app
 */
export async function runnerOver(source: string, more: Partial<AppRunnerDeps> = {}) {
  const workDir = await mkdtemp(join(tmpdir(), 'runner-'));
  onTestFinished(() => rm(workDir, { recursive: true }));
  await writeFile(join(workDir, 'dance.py'), source);
  const robot = {
    state: { state: 'asleep', connected: true } as RobotState,
    wakeUp: Promise.withResolvers<'done'>(),
    calls: [] as string[],
  };
  const publish = () => {};
  const slots: AppSlotState[] = [];
  const { clock = { ...systemClock, now: () => new Date(0) } } = more;
  const log = createLogger('error', () => {});
  const slot = new AppSlot({
    publish: (event) => event.type === 'app-slot.changed' && slots.push(event.slot),
    now: clock.now,
  });
  const output = new AppOutput({ publish, clock });
  const history = new RunHistory({
    clock,
    file: join(workDir, 'runs.json'),
    dir: join(workDir, 'runs'),
    output,
    publish,
    log,
  });
  const runner = new AppRunner({
    findApp: (name) => {
      if (name === 'nobody') throw new AppNotInstalled(name);
      return {
        app: danceApp(name),
        python: 'python3',
        workDir,
      };
    },
    slot,
    output,
    history,
    variables: { environment: async () => ({ environment: {}, secrets: [] }) },
    needs: noNeeds,
    onRunEnded: () => {},
    sdkVersion: () => '1.0.0',
    robot: {
      get state() {
        return robot.state;
      },
      wakeUp: () => robot.wakeUp.promise,
      connected: async () => {},
      returnToDefault: async () => 'done',
      yieldGotos: () => void robot.calls.push('yieldGotos'),
    },
    requireRoom: async () => {},
    childEnvironment: () => ({ PATH: process.env['PATH'] ?? '' }),
    daemonUrl: () => '',
    clock,
    log,
    ...more,
  });
  onTestFinished(() =>
    runner.stop({ force: true }).then(
      () => {},
      () => {},
    ),
  );
  return { runner, slot, slots, output, history, robot, workDir };
}
