import { expect, test } from 'vitest';
import type { AppSlotState } from '../contract/apps/app-slot.ts';
import type { Job } from '../contract/jobs.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { DaemonRestart, RestartImpossible, WorkUnderWay } from './daemon-restart.ts';

const AT = '2026-11-28T08:00:00.000Z';
const free: AppSlotState = { state: 'free', lastRun: null };
const running: AppSlotState = {
  ...{ state: 'running', holder: { kind: 'managed-app', appName: 'dance', runId: 'r1' }, since: AT, sdk: 'connected' },
  ...{ settingsPage: 'none', detail: null, until: null, alive: [] },
};
const job = (endedAt: string | null): Job => ({ endedAt }) as Job;

/** The restart of a daemon with this work, and how often it has been carried out. */
function withWork(slot: AppSlotState, jobs: Job[] = [], canRestart = true) {
  const clock = manualClock();
  let restarts = 0;
  const restart = canRestart ? () => void restarts++ : undefined;
  const daemon = new DaemonRestart({ restart, slot: { state: slot }, jobs: { list: () => jobs }, clock });
  return { daemon, clock, restarts: () => restarts };
}

test('an idle daemon restarts, once its reply is sent', async () => {
  const { daemon, clock, restarts } = withWork(free, [job(AT)]);
  daemon.request({ interrupt: false });
  expect(restarts()).toBe(0);
  await clock.advance(200);
  expect(restarts()).toBe(1);
});

test.each<[AppSlotState, Job[], string]>([
  [running, [], '"dance" runs. A restart ends it.'],
  [free, [job(null)], 'A job is under way. A restart ends it.'],
  [running, [job(null), job(AT), job(null)], '"dance" runs, and 2 jobs are under way. A restart ends it.'],
])('work under way is ended only where that is asked for', async (slot, jobs, message) => {
  const { daemon, clock, restarts } = withWork(slot, jobs);
  const refusal = new WorkUnderWay(message.replace(' A restart ends it.', ''));
  expect(() => daemon.request({ interrupt: false })).toThrow(refusal);
  await clock.advance(1_000);
  expect(restarts()).toBe(0);
  daemon.request({ interrupt: true });
  await clock.advance(200);
  expect(restarts()).toBe(1);
});

test('a daemon whose program cannot start it again says so', () => {
  expect(() => withWork(free, [], false).daemon.request({ interrupt: true })).toThrow(RestartImpossible);
});
