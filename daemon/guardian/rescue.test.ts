import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
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
    endContainers: part('end containers', true),
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

test('a rescue ends the containers and processes, then folds the robot, and records that before it gives the folder back', async () => {
  expect(await rescued()).toEqual({
    calls: ['take', 'find the app', 'end containers', 'end processes', 'fold', 'end the window', done, 'release'],
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
  const gone = { ...done, processesGone: false };
  expect(calls).toEqual(['take', 'find the app', 'end containers', 'fold', gone, 'release']);
});

test('the robot does not wait for the engine of the containers, the record does, also where processes stay', async () => {
  const removal = Promise.withResolvers<boolean>();
  const calls: unknown[] = [];
  const rescuing = rescued({
    endContainers: () => removal.promise,
    endProcesses: async () => false,
    foldRobot: async () => {
      calls.push('fold');
      return { state: 'folded' };
    },
    record: async (end) => void calls.push(end),
  });
  await vi.waitFor(() => expect(calls).toEqual(['fold']));
  await nextTurn();
  expect(calls).toEqual(['fold']);
  removal.resolve(true);
  await rescuing;
  expect(calls).toEqual(['fold', { ...done, processesGone: false }]);
});

test('an engine that is away keeps nothing else from its end', async () => {
  const { calls, logged } = await rescued({ endContainers: failing('Podman does not answer.') });
  expect(calls).toContainEqual({ ...done, processesGone: false });
  expect(logged[0]).toBe(
    'error guardian: something that the daemon had started could not be ended: Error: Podman does not answer.',
  );
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
