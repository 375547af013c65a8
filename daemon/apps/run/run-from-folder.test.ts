/** An app that runs from its author's folder: real processes, and a robot that is awake. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { RobotState } from '../../contract/robot/robot.ts';
import { danceApp, runnerOver } from '../../testing/apps/test-runner.ts';
import type { AppToStart, RunEnd } from '../installed/app-launch.ts';
import type { AppRunnerDeps } from './app-runner.ts';
import { AppAlreadyRunning, NoAppRunning, StartCancelled } from './errors.ts';

const installed = 'print("installed", flush=True)\n';

async function fromFolder(source: string, more: Partial<AppRunnerDeps> = {}) {
  const judged: AppRun[] = [];
  const returns: string[] = [];
  const over = await runnerOver(installed, {
    onRunEnded: (run) => void judged.push(run),
    variables: { environment: async () => ({ environment: { PYTHONPATH: '/of/the/user' }, secrets: [] }) },
    robot: {
      state: { state: 'awake', torque: true, reason: null, connected: true } as RobotState,
      wakeUp: async () => 'done',
      connected: async () => {},
      returnToDefault: async () => {
        returns.push('returned');
        return 'done';
      },
      yieldGotos: () => {},
    },
    ...more,
  });
  const importRoot = join(over.workDir, 'my äpp', 'src');
  const module = join(importRoot, 'tango', 'main.py');
  await mkdir(join(importRoot, 'tango'), { recursive: true });
  await writeFile(module, source);
  const ends: RunEnd[] = [];
  const target: AppToStart = {
    appName: 'tango',
    find: () => ({
      app: danceApp('tango', { module: 'tango.main' }),
      python: 'python3',
      workDir: over.workDir,
      folder: { importRoot, onOver: (end) => ends.push(end) },
    }),
  };
  const written = (text: string) =>
    vi.waitFor(() => expect(over.output.newest(9).map((line) => line.text)).toContain(text));
  return { ...over, target, module, importRoot, ends, judged, returns, written };
}

const waiting = (text: string) => `import time\nprint("${text}", flush=True)\ntime.sleep(60)\n`;

test('its package is imported from the folder, into which nothing is written', async () => {
  const { runner, target, importRoot, written, judged, ends } = await fromFolder(
    'import os, tango.part\nprint(os.environ["PYTHONPATH"], flush=True)\n',
  );
  await writeFile(join(importRoot, 'tango', 'part.py'), 'print("part", flush=True)\n');
  await runner.start(target);
  await written('part');
  await written(`${importRoot}:/of/the/user`);
  await vi.waitFor(() =>
    expect(ends).toMatchObject([{ run: { outcome: 'finished' }, stopAsked: false, goesOn: false }]),
  );
  expect(await readdir(join(importRoot, 'tango'))).toEqual(['main.py', 'part.py']);
  expect(judged).toEqual([]);
});

test('a reload runs the changed code in the same slot, and the robot stays where it is', async () => {
  const { runner, target, module, written, slots, ends, returns } = await fromFolder(waiting('first'));
  await runner.start(target);
  await written('first');
  await writeFile(module, waiting('second'));
  await runner.reload(target);
  await written('second');
  expect(slots.map(({ state }) => state)).not.toContain('free');
  expect({ returns, ends }).toMatchObject({ returns: [], ends: [{ stopAsked: true, goesOn: true }] });
  await runner.stop();
  expect({ returns, ends }).toMatchObject({ returns: ['returned'], ends: [{}, { stopAsked: true, goesOn: false }] });
});

test('a restart goes on from the folder, and returns the robot in between', async () => {
  const { runner, target, written, ends, returns } = await fromFolder(waiting('first'));
  await runner.start(target);
  await written('first');
  await runner.restart();
  await written('first');
  expect({ returns, ends }).toMatchObject({ returns: ['returned'], ends: [{ goesOn: true }] });
});

test('a stop cancels a reload, and only what runs is reloaded', async () => {
  const { runner, target, written, ends } = await fromFolder(waiting('first'));
  await expect(runner.reload(target)).rejects.toThrow(NoAppRunning);
  await runner.start(target);
  await written('first');
  const reloaded = runner.reload(target).catch((error: unknown) => error);
  await Promise.resolve(); // the reload has begun
  await Promise.resolve();
  await runner.stop();
  expect(await reloaded).toBeInstanceOf(StartCancelled);
  expect(ends).toMatchObject([{ stopAsked: true, goesOn: false }]);
});

test('another app that takes its place ends it, and is not reloaded away', async () => {
  const { runner, target, written, ends } = await fromFolder(waiting('first'));
  await runner.start(target);
  await written('first');
  const replaced = runner.start('dance', { replace: true });
  await expect(runner.reload(target)).rejects.toThrow(AppAlreadyRunning);
  await replaced;
  await written('installed');
  expect(ends).toMatchObject([{ stopAsked: true, goesOn: false }]);
});
