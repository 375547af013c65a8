import { expect, test } from 'vitest';
import type { InstallationCheck } from '../contract/doctor/installation-check.ts';
import { JobQueue } from '../jobs/job-queue.ts';
import { createLogger } from '../shared/logger.ts';
import { type ManualClock, manualClock } from '../testing/manual-clock.ts';
import { InstallationChecker } from './installation-checker.ts';

type Check = ConstructorParameters<typeof InstallationChecker>[0]['check'];

function checkerOf(check: Check): { checker: InstallationChecker; jobs: JobQueue; clock: ManualClock } {
  const clock = manualClock();
  const jobs = new JobQueue({
    store: { load: async () => [], save: async () => {} },
    ...{ dataDir: '/data', publish: () => {}, clock, log: createLogger('error', () => {}) },
  });
  return { checker: new InstallationChecker({ jobs, check, clock }), jobs, clock };
}
const result: InstallationCheck = { checkedAt: '2026-11-28T10:00:00.000Z', facts: [], findings: [] };

test('a check is a job, whose result is kept', async () => {
  const { checker, jobs } = checkerOf(async ({ step, detail }) => {
    step('python');
    step('checks');
    detail('Trying dance');
    return result;
  });
  expect(checker.last).toBeNull();
  const { id } = await checker.start();
  expect(await jobs.ended(id)).toMatchObject({
    ...{ kind: 'check-installation', subject: 'this installation', state: 'done' },
    steps: [{ state: 'done' }, { state: 'done' }],
  });
  expect(checker.last).toEqual(result);
});

test('a second request joins the check that is under way', async () => {
  const ending = Promise.withResolvers<InstallationCheck>();
  const { checker, jobs } = checkerOf(() => ending.promise);
  const [first, second] = [await checker.start(), await checker.start()];
  ending.resolve(result);
  expect(second.id).toBe(first.id);
  await jobs.ended(first.id);
});

test('a check that is cancelled ends at once, whatever hangs, and leaves the last result', async () => {
  const results = [Promise.resolve(result), new Promise<never>(() => {})];
  const begun = Promise.withResolvers<AbortSignal>();
  const { checker, jobs } = checkerOf(({ signal }) => {
    const next = results.shift() as Promise<InstallationCheck>;
    if (results.length === 0) begun.resolve(signal);
    return next;
  });
  await jobs.ended((await checker.start()).id);
  const { id } = await checker.start();
  const signal = await begun.promise;
  jobs.cancel(id);
  expect(await jobs.ended(id)).toMatchObject({ state: 'cancelled', failure: null });
  expect(signal.aborted).toBe(true);
  expect(checker.last).toEqual(result);
});

test('a check that takes a quarter of an hour has failed', async () => {
  const begun = Promise.withResolvers<void>();
  const { checker, jobs, clock } = checkerOf(() => {
    begun.resolve();
    return new Promise<never>(() => {});
  });
  const { id } = await checker.start();
  await begun.promise;
  await clock.advance(15 * 60_000);
  expect(await jobs.ended(id)).toMatchObject({
    state: 'failed',
    failure: { reason: 'timeout', message: 'The check did not end within 15 minutes.' },
  });
  expect(clock.pending).toBe(0);
});
