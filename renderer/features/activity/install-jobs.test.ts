import { expect, test } from 'vitest';
import { failure, installJob } from '../../testing/fixtures.ts';
import { openFailures, subjectName } from './install-jobs.ts';

const failed = installJob('wave', { id: 'first', state: 'failed', failure });

test('a failure stands until it is put away or a later install of the same thing', () => {
  expect(openFailures([failed], [])).toEqual([failed]);
  expect(openFailures([failed], ['first'])).toEqual([]);
  expect(openFailures([installJob('wave', { id: 'second', state: 'done' }), failed], [])).toEqual([]);
  expect(openFailures([installJob('dance', { id: 'other', state: 'done' }), failed], [])).toEqual([failed]);
});

test('a job is called by its app, or by the last part of its address', () => {
  expect(subjectName(failed)).toBe('wave');
  expect(subjectName({ ...failed, appName: null, subject: '/home/you/my_app/' })).toBe('my_app');
  expect(subjectName({ ...failed, appName: null, subject: 'C:\\apps\\box' })).toBe('box');
});
