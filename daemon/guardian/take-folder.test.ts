import { expect, test } from 'vitest';
import { DataFolderInUse } from '../shared/data-folder/data-folder-lock.ts';
import { DataFolderUnusable } from '../shared/data-folder/folder-locks.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { createLogger } from '../shared/logger.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { takeFolder } from './rescue.ts';

const HOST = 7;
const paths = dataPaths('/data');
const lock = { release: () => {} };
const usedBy = (pid: number, url: string | null = null) => new DataFolderInUse(paths, { pid, url });
const unusable = new DataFolderUnusable('/data', Object.assign(new Error(), { code: 'EACCES' }));

/** @param answers of the lock, one a try; the last one again and again */
function taken(answers: readonly (typeof lock | Error)[], { isHostGone = true, withinMs = 60_000 } = {}) {
  let tries = 0;
  const clock = movableClock();
  const taking = takeFolder({
    lock: async () => {
      const answer = answers[Math.min(tries++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return answer as typeof lock;
    },
    hostPid: HOST,
    isHostGone: async () => isHostGone,
    withinMs,
    clock,
    log: createLogger('error'),
  });
  return clock.during(taking);
}

test('a folder is taken once its host has let go of it', async () => {
  expect(await taken([usedBy(HOST), usedBy(HOST), lock])).toBe(lock);
});

test('a folder of another daemon is left to it', async () => {
  expect(await taken([usedBy(HOST), usedBy(8), usedBy(8, 'http://127.0.0.1:8000'), lock])).toBeNull();
});

test('a command that has the folder for a moment, as one that killed the daemon, is waited for', async () => {
  expect(await taken([usedBy(8), usedBy(8), lock])).toBe(lock);
  expect(await taken([usedBy(8)], { withinMs: 0 })).toBeNull();
});

test('a host that keeps the folder beyond the limit still runs, and looks after the robot itself', async () => {
  expect(await taken([usedBy(HOST)], { withinMs: 0 })).toBeNull();
});

test('a folder that cannot be locked is nobody else’s once the host is gone', async () => {
  expect(await taken([unusable])).toMatchObject({ release: expect.any(Function) as unknown });
  expect(await taken([unusable], { isHostGone: false, withinMs: 0 })).toBeNull();
});
