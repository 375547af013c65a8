import { expect, test } from 'vitest';
import { JobFailed } from '../../jobs/errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { gitLimits } from './git.ts';
import { gitFailure } from './git-failure.ts';

/** Output of git 2.39. */
test.each([
  ["fatal: couldn't find remote ref nowhere", 'not-found'],
  ["fatal: could not read Username for 'https://git.example': terminal prompts disabled", 'auth'],
  ["fatal: unable to access 'https://git.example/x/': Could not resolve host: git.example", 'network'],
  ['fatal: unable to access: Operation too slow. Less than 100 bytes/sec transferred the last 30 seconds', 'network'],
  ['error: RPC failed; curl 18 transfer closed with outstanding read data remaining', 'network'],
  ['fatal: early EOF', 'network'],
  ['fatal: Out of memory, malloc failed (tried to allocate 4294967296 bytes)', 'not-an-app'],
  ["error: object 8a1b: hasDotdot: contains '..'", 'not-an-app'],
  ['fatal: write error: No space left on device', 'disk-full'],
  ["fatal: cannot mkdir '/data/apps/a': Read-only file system", 'data-folder-read-only'],
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

test.each([
  ['silence', 'network', '60 s'],
  ['memory', 'not-an-app', '512 MB'],
  ['amount', 'not-an-app', '4 GB or 500,000 files'],
] as const)('a limit of %s that was exceeded', (limit, reason, named) => {
  const failure = gitFailure(new CommandFailed('git', 'was ended', null, false, ['fatal: x'], limit), 'main');
  expect(failure).toMatchObject({ failure: { reason, message: expect.stringContaining(named), evidence: [] } });
});

test('the limits are those that the messages name', () => {
  const { memoryBytes, silentMs, bytes, files } = gitLimits;
  expect({ memoryBytes, silentMs, bytes, files }).toEqual({
    memoryBytes: 512 * 1024 ** 2,
    silentMs: 60_000,
    bytes: 4 * 1024 ** 3,
    files: 500_000,
  });
});

test('a cancel or a deadline is returned unchanged', () => {
  const cancel = new Error('cancelled');
  expect(gitFailure(cancel, null)).toBe(cancel);
  const late = new CommandFailed('git', 'did not end within 1800 s', null, true, []);
  expect(gitFailure(late, null)).toBe(late);
});
