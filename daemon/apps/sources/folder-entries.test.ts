import { expect, test } from 'vitest';
import { JobFailed } from '../../jobs/errors.ts';
import { unreadable } from './folder-source.ts';

test('a file of the user that may not be read is named; it has nothing to do with the data folder', () => {
  const error = Object.assign(new Error("EACCES: permission denied, access '/home/ada/a\n.py'"), { code: 'EACCES' });
  const failure = unreadable(error, '/home/ada/a\n.py');
  expect(failure).toBeInstanceOf(JobFailed);
  expect((failure as JobFailed).failure).toEqual({
    reason: 'not-found',
    message: '/home/ada/a\\n.py may not be read.',
    action: 'Give your user the right to read it, then install again.',
    evidence: ["EACCES: permission denied, access '/home/ada/a\\n.py'"],
  });
});

test('another error stays as it is', () => {
  const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  expect(unreadable(error, '/home/ada/a')).toBe(error);
});
