import { expect, test } from 'vitest';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { failure, installedApp, installJob } from '../../testing/fixtures.ts';
import { isAbout, latestInstall, openFailureOf, openFailures, subjectName } from './install-jobs.ts';

const failed = installJob('wave', { id: 'first', state: 'failed', failure });

const open = (jobs: readonly Job[], dismissed: readonly string[] = [], installedApps: readonly InstalledApp[] = []) =>
  openFailures({ jobs, dismissed, installedApps });

test('a failure stays open until it is dismissed or the same app is installed later', () => {
  expect(open([failed])).toEqual([failed]);
  expect(open([failed], ['first'])).toEqual([]);
  expect(open([installJob('wave', { id: 'second', state: 'done' }), failed])).toEqual([]);
  expect(open([installJob('dance', { id: 'other', state: 'done' }), failed])).toEqual([failed]);
});

test('two revisions of one address are the same app, two subdirectories are not', () => {
  const at = (subject: string) => installJob('', { appName: null, subject, state: 'failed', failure });
  const done = installJob('wave', { subject: 'https://git.test/wave.git', state: 'done' });
  expect(open([done, at('https://git.test/wave.git#gone')])).toEqual([]);
  const otherFolder = at('https://git.test/wave.git#gone&subdirectory=apps/two');
  expect(open([done, otherFolder])).toEqual([otherFolder]);
});

test('an app installed after a failure closes it', () => {
  const nameless = { ...failed, appName: null };
  const [before, after] = ['2026-03-01T09:00:00.000Z', '2026-03-01T11:00:00.000Z'];
  for (const job of [failed, nameless]) {
    expect(open([job], [], [installedApp('wave', 'Wave', { installedAt: after })])).toEqual([]);
    expect(open([job], [], [installedApp('wave', 'Wave', { installedAt: before })])).toEqual([job]);
  }
});

test('a job is named after its app, or the last part of its address', () => {
  expect(subjectName(failed)).toBe('wave');
  expect(subjectName({ ...failed, appName: null, subject: '/home/you/my_app/' })).toBe('my_app');
  expect(subjectName({ ...failed, appName: null, subject: 'C:\\apps\\box' })).toBe('box');
  expect(subjectName({ ...failed, appName: null, subject: 'https://hub.test/%C3%B6' })).toBe('ö');
  expect(subjectName({ ...failed, appName: null, subject: '/home/you/50%' })).toBe('50%');
  expect(subjectName({ ...failed, appName: null, subject: 'https://hub.test/a%E2%80%AE' })).toBe('a%E2%80%AE');
});

test('a check or a publication is no install of its app', () => {
  const check = installJob('wave', { id: 'check', kind: 'check-app', state: 'done' });
  expect(latestInstall([check, failed], { name: 'wave' })).toBe(failed);
  expect(open([check, failed])).toEqual([failed]);
  expect([check, failed].map((job) => isAbout(job, installedApp('wave')))).toEqual([false, true]);
  const again = installJob('wave', { id: 'again', kind: 'check-app', state: 'done' });
  expect(open([again, { ...check, state: 'failed', failure }])).toEqual([]);
});

test('the open failure of one app is that of its newest job, as in the list of all', () => {
  const wave = installedApp('wave', 'Wave', { installedAt: '2026-03-01T09:00:00.000Z' });
  const of = (jobs: readonly Job[], dismissed: readonly string[] = [], app = wave) =>
    openFailureOf({ jobs, dismissed }, app);
  expect(of([failed])).toBe(failed);
  expect(of([installJob('dance', { id: 'other', state: 'done' }), failed])).toBe(failed);
  expect(of([installJob('wave', { id: 'second', state: 'done' }), failed])).toBeUndefined();
  expect(of([failed], ['first'])).toBeUndefined();
  expect(of([failed], [], { ...wave, installedAt: '2026-03-01T11:00:00.000Z' })).toBeUndefined();
});
