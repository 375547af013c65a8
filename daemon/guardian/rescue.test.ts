import { expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { type RescueDeps, rescue } from './rescue.ts';

const AT = '2026-11-21T11:00:00.000Z';

async function rescued(given: Partial<RescueDeps> = {}) {
  const calls: unknown[] = [];
  const logged: string[] = [];
  const part =
    <T>(name: string, result: T) =>
    async () => {
      calls.push(name);
      return result;
    };
  await rescue({
    takeFolder: part('take', { release: () => void calls.push('release') }),
    runningApp: part('find the app', 'dance'),
    endProcesses: part('end processes', true),
    foldRobot: part('fold', { state: 'folded' as const }),
    endWindow: part('end the window', true),
    record: async (end) => void calls.push(end),
    now: () => new Date(AT),
    log: createLogger('info', (line) => logged.push(line.slice(13).split('\n')[0] ?? '')),
    ...given,
  });
  return { calls, logged };
}
const failing = (message: string) => () => Promise.reject(new Error(message));
const done = { at: AT, appName: 'dance', processesGone: true, robot: { state: 'folded' } };

test('a rescue ends the processes, then folds the robot, and records that before it gives the folder back', async () => {
  expect(await rescued()).toEqual({
    calls: ['take', 'find the app', 'end processes', 'fold', 'end the window', done, 'release'],
    logged: ['info  guardian: the app dance was ended, the robot is folded'],
  });
});

test('it leaves everything to another process that has the folder', async () => {
  const { calls, logged } = await rescued({ takeFolder: async () => null });
  expect(calls).toEqual([]);
  expect(logged).toEqual(['info  guardian: another process has the data folder, and takes care of the robot']);
});

test('the robot is folded also where processes stay', async () => {
  const { calls } = await rescued({ endProcesses: failing('EPERM'), endWindow: async () => false });
  expect(calls).toEqual(['take', 'find the app', 'fold', { ...done, processesGone: false }, 'release']);
});

test('a robot that cannot be folded is recorded with the reason', async () => {
  const { calls } = await rescued({ foldRobot: failing('no native code') });
  const robot = { state: 'not-folded', reason: 'no native code', action: null };
  expect(calls).toContainEqual({ ...done, robot });
});

test('a record that cannot be written is logged, and the folder is given back', async () => {
  const { calls, logged } = await rescued({ record: failing('disk full') });
  expect(calls.at(-1)).toBe('release');
  expect(logged.at(-1)).toBe('error guardian: what happened could not be recorded: Error: disk full');
});
