import { expect, test } from 'vitest';
import { JobFailed } from '../../jobs/errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { gitFailure } from './git-failure.ts';

/** Output of git 2.39. */
test.each([
  ["fatal: couldn't find remote ref nowhere", 'not-found'],
  ["fatal: could not read Username for 'https://git.example': terminal prompts disabled", 'auth'],
  ["fatal: unable to access 'https://git.example/x/': Could not resolve host: git.example", 'network'],
  ['fatal: unable to access: Operation too slow. Less than 100 bytes/sec transferred the last 30 seconds', 'network'],
  ['error: RPC failed; curl 18 transfer closed with outstanding read data remaining', 'network'],
  ['fatal: early EOF', 'network'],
  ["error: object 8a1b: hasDotdot: contains '..'", 'not-an-app'],
  ['fatal: write error: No space left on device', 'disk-full'],
  ["fatal: cannot mkdir '/data/work/a': Read-only file system", 'data-folder-read-only'],
])('%s', (line, reason) => {
  const lines = ['hint: x', 'remote: Counting objects:  87% (7/8)', line];
  const failure = gitFailure(
    new CommandFailed('git', 'ended with exit code 128', 128, false, lines),
    'nowhere',
    '/data',
  );
  expect(failure).toBeInstanceOf(JobFailed);
  expect((failure as JobFailed).failure).toMatchObject({ reason, evidence: [line] });
});

test('a cancel or a deadline is returned unchanged', () => {
  const cancel = new Error('cancelled');
  expect(gitFailure(cancel, null)).toBe(cancel);
  const late = new CommandFailed('git', 'did not end within 1800 s', null, true, []);
  expect(gitFailure(late, null)).toBe(late);
});
