import { EventEmitter, once } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { DaemonEvent } from '../contract/events.ts';
import type { Job } from '../contract/jobs.ts';
import { createLogger } from '../shared/logger.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { JobFailed } from './errors.ts';
import { JobQueue } from './job-queue.ts';
import type { StoredJob } from './job-store.ts';

function queueOver(stored: StoredJob[] = []) {
  const disk = { jobs: stored };
  const events: DaemonEvent[] = [];
  const published = new EventEmitter();
  const clock = manualClock();
  const store = {
    load: async () => disk.jobs,
    save: async (jobs: readonly StoredJob[]) => {
      disk.jobs = structuredClone([...jobs]);
    },
  };
  const queue = new JobQueue({
    store,
    dataDir: '/data',
    publish: (event) => {
      events.push(event);
      published.emit('event', event);
    },
    clock,
    log: createLogger('error', () => {}),
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(published, 'event');
  };
  const ended = (id: string) => until(() => queue.get(id).endedAt !== null);
  const begun = (id: string) => until(() => queue.get(id).state === 'running');
  return { queue, disk, events, published, clock, ended, begun };
}
const steps = [
  { name: 'copy', title: 'Copy' },
  { name: 'build', title: 'Build' },
];
const plan = (work: Parameters<JobQueue['add']>[0]['work'], subject = 'a') => ({
  kind: 'install-app' as const,
  subject,
  steps,
  work,
});

test('a job shows its steps from the start, ends once, and its record is on disk', async () => {
  const { queue, disk, events, ended } = queueOver();
  const { id, state } = queue.add(
    plan(async (progress) => {
      progress.step('copy');
      progress.log('copied 3 files');
      progress.step('build');
    }),
  );
  expect(state).toBe('queued');
  await ended(id);
  expect(queue.get(id)).toMatchObject({
    state: 'done',
    steps: [
      { name: 'copy', state: 'done' },
      { name: 'build', state: 'done' },
    ],
    logTail: ['copied 3 files'],
  });
  await queue.close();
  expect(disk.jobs[0]?.job).toEqual(queue.get(id));
  const seen = events.flatMap((event) => (event.type === 'job.changed' ? [event.job.state] : []));
  expect(seen[0]).toBe('queued');
  expect(seen.at(-1)).toBe('done');
});

test('a failure keeps its reason, a bug is an internal error', async () => {
  const { queue, ended } = queueOver();
  const failure = { reason: 'not-an-app' as const, message: 'No pyproject.toml.', action: 'Choose another folder.' };
  const failed = queue.add(
    plan(async (progress) => {
      progress.step('copy');
      throw new JobFailed(failure);
    }),
  );
  const broken = queue.add(plan(() => Promise.reject(new TypeError('x is undefined')), 'b'));
  await ended(broken.id);
  expect(queue.get(failed.id)).toMatchObject({
    state: 'failed',
    failure,
    steps: [{ state: 'failed' }, { state: 'pending' }],
  });
  expect(queue.get(broken.id).failure).toMatchObject({ reason: 'internal' });
});

test('a job whose files find no space on the disk has the same sentence as every other write', async () => {
  const { queue, ended } = queueOver();
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const { id } = queue.add(plan(() => Promise.reject(full)));
  await ended(id);
  expect(queue.get(id).failure).toEqual({
    reason: 'disk-full',
    message: 'The disk of /data is full.',
    action: 'Free some space on it (remove apps or model files that you no longer need), then try again.',
    evidence: [],
  });
});

test('the same work requested twice is one job, other work is queued', async () => {
  const { queue, ended } = queueOver();
  const order: string[] = [];
  const first = queue.add(plan(async () => void order.push('a')));
  expect(queue.add(plan(async () => void order.push('a again'))).id).toBe(first.id);
  const second = queue.add(plan(async () => void order.push('b'), 'b'));
  await ended(second.id);
  expect(order).toEqual(['a', 'b']);
});

test('a cancel ends a running job as cancelled, and a waiting one before it begins', async () => {
  const { queue, ended, begun } = queueOver();
  const never = (progress: { signal: AbortSignal }) =>
    new Promise<void>((_, reject) => progress.signal.addEventListener('abort', () => reject(progress.signal.reason)));
  const running = queue.add(plan(never));
  queue.add(plan(never, 'beside it'));
  const waiting = queue.add(plan(never, 'b'));
  await begun(running.id);
  expect(queue.cancel(waiting.id).state).toBe('cancelled');
  expect(queue.cancel(running.id).cancelling).toBe(true);
  await ended(running.id);
  expect(queue.get(running.id)).toMatchObject({ state: 'cancelled', cancelling: false });
  expect(queue.cancel(running.id).state).toBe('cancelled');
});

test('two jobs run at once, a third waits until one has ended', async () => {
  const { queue } = queueOver();
  const [first, second, third] = ['a', 'b', 'c'].map((subject) => queue.add(plan(untilAborted, subject)));
  const states = () => [first, second, third].map((job) => queue.get(job?.id as string).state);
  await vi.waitFor(() => expect(states()).toEqual(['running', 'running', 'queued']));
  queue.cancel(second?.id as string);
  await vi.waitFor(() => expect(states()).toEqual(['running', 'cancelled', 'running']));
  await queue.close();
});

test('the end of a job is on the disk before anybody gets it', async () => {
  const { queue, disk, published, ended } = queueOver();
  const endedJobs: Job[] = [];
  const onDisk: unknown[] = [];
  published.on('event', (event: DaemonEvent) => {
    if (event.type !== 'job.changed' || event.job.endedAt === null) return;
    endedJobs.push(event.job);
    onDisk.push(disk.jobs.find(({ job }) => job.id === event.job.id)?.job);
  });
  const done = queue.add(plan(async () => {}));
  const failed = queue.add(plan(() => Promise.reject(new Error('no')), 'b'));
  for (const { id } of [done, failed]) await ended(id);
  expect(endedJobs.map(({ state }) => state)).toEqual(['done', 'failed']);
  expect(onDisk).toEqual(endedJobs);
});

test('the progress of a download is published', async () => {
  const { queue, events, clock, ended } = queueOver();
  const { id } = queue.add(
    plan(async (progress) => {
      progress.transfer({ doneBytes: 5, totalBytes: 10, bytesPerSecond: 1, stalled: false });
      await clock.advance(100);
      expect(events.at(-1)).toMatchObject({ job: { transfer: { doneBytes: 5 } } });
    }),
  );
  await ended(id);
  expect(queue.get(id)).toMatchObject({ state: 'done', transfer: null });
});

test('unfinished jobs of an earlier daemon are failed(interrupted)', async () => {
  const { queue, disk } = queueOver();
  const { id } = queue.add(plan(() => new Promise(() => {})));
  await vi.waitFor(() => expect(disk.jobs[0]?.job.state).toBe('running'));
  const next = queueOver(disk.jobs);
  await next.queue.load();
  expect(next.queue.get(id)).toMatchObject({ state: 'failed', failure: { reason: 'interrupted' } });
  expect(next.disk.jobs[0]?.job).toEqual(next.queue.get(id));
});

test('the log is bounded and says so', async () => {
  const { queue, ended } = queueOver();
  const { id } = queue.add(
    plan(async (progress) => {
      for (let line = 0; line < 5_000; line++) progress.log(`line ${line}`);
    }),
  );
  await ended(id);
  expect(queue.log(id)).toMatchObject({ truncated: true });
  expect(queue.log(id).lines).toHaveLength(1_000);
});

const untilAborted = (progress: { signal: AbortSignal }) =>
  new Promise<void>((_, reject) => progress.signal.addEventListener('abort', () => reject(progress.signal.reason)));

test('jobs interrupted by the shutdown are failed(interrupted), on disk too, and close waits for them', async () => {
  const { queue, disk, begun } = queueOver();
  const { id } = queue.add(plan(untilAborted));
  await begun(id);
  await queue.close();
  expect(queue.get(id)).toMatchObject({ state: 'failed', failure: { reason: 'interrupted' } });
  expect(disk.jobs[0]?.job).toEqual(queue.get(id));
});

test('work requested again while it is being cancelled is a new job', async () => {
  const { queue, ended, begun } = queueOver();
  const first = queue.add(plan(untilAborted));
  await begun(first.id);
  queue.cancel(first.id);
  const second = queue.add(plan(async () => {}));
  await ended(second.id);
  expect([queue.get(first.id).state, queue.get(second.id).state]).toEqual(['cancelled', 'done']);
});

test('only the newest fifty jobs are stored', async () => {
  const { queue, ended } = queueOver();
  for (let number = 0; number < 60; number++) await ended(queue.add(plan(async () => {}, `${number}`)).id);
  queue.add(plan(async () => {}, 'one more'));
  expect(queue.list().map(({ subject }) => subject)).toEqual([
    'one more',
    ...Array.from({ length: 49 }, (_, index) => `${59 - index}`),
  ]);
});

test('at most twenty jobs wait', () => {
  const { queue } = queueOver();
  const add = (subject: string) => queue.add(plan(() => new Promise(() => {}), subject));
  for (let index = 0; index < 20; index++) add(`waiting ${index}`);
  expect(() => add('one more')).toThrow('20 jobs are already waiting.');
});
