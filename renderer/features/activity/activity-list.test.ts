import { expect, test } from 'vitest';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { installJob } from '../../testing/fixtures.ts';
import { type JobFilter, jobFilterOf, jobsAhead, shownJobs } from './activity-list.ts';

const at = (minute: number) => `2026-03-01T10:0${minute}:00.000Z`;
const job = (name: string, minute: number, state: Job['state']) => installJob(name, { createdAt: at(minute), state });
const jobs = [
  job('last-queued', 6, 'queued'),
  job('next', 5, 'queued'),
  job('b-running', 4, 'running'),
  job('failed', 3, 'failed'),
  job('a-running', 2, 'running'),
  job('done', 1, 'done'),
  job('cancelled', 0, 'cancelled'),
];

test.each<[JobFilter, string[]]>([
  ['all', ['a-running', 'b-running', 'next', 'last-queued', 'failed', 'done', 'cancelled']],
  ['active', ['a-running', 'b-running', 'next', 'last-queued']],
  ['failed', ['failed']],
  ['ended', ['failed', 'done', 'cancelled']],
])('with the filter %s, what runs comes above what waits, and the newest of what ended first', (filter, names) => {
  expect(shownJobs(jobs, filter).map(({ appName }) => appName)).toEqual(names);
});

test('a waiting job knows how many start before it', () => {
  expect(jobs.map((each) => jobsAhead(jobs, each))).toEqual([3, 2, 0, 0, 0, 0, 0]);
});

test.each(['', 'show=', 'show=best', 'made=x'])('the address "%s" shows all', (query) => {
  expect(jobFilterOf(query)).toBe('all');
});
