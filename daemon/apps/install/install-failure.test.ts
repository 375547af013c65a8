import { expect, test } from 'vitest';
import { JobFailed } from '../../jobs/errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { installFailure } from './install-failure.ts';

/** Output of uv 0.13 and pip 23. */
test.each<[string, readonly string[], string, string]>([
  [
    'uv, a package that does not exist',
    [
      '  × No solution found when resolving dependencies:',
      '  ╰─▶ Because no-such-package was not found in the package registry and',
      '      dance==1.0.0 depends on no-such-package, we can conclude that',
      '      dance==1.0.0 cannot be used.',
    ],
    'dependency-conflict',
    'no-such-package was not found',
  ],
  [
    'pip, a version that does not exist',
    [
      'ERROR: Could not find a version that satisfies the requirement numpy==99 (from dance) (from versions: 1.0)',
      'ERROR: No matching distribution found for numpy==99',
    ],
    'dependency-conflict',
    'numpy==99',
  ],
  ['no network', ['error: dns error: failed to lookup address information'], 'network', 'dns error'],
  ['a full disk', ['OSError: [Errno 28] No space left on device'], 'disk-full', 'No space left'],
  [
    'no right to the data folder',
    ['error: failed to create directory `/data/apps/dance/envs/1`: Permission denied (os error 13)'],
    'data-folder-read-only',
    'Permission denied',
  ],
  ['no right elsewhere', ["PermissionError: [Errno 13] Permission denied: '/opt/x'"], 'build', 'Permission denied'],
])('%s', (_, lines, reason, evidence) => {
  const failure = installFailure(new CommandFailed('uv', 'ended with exit code 1', 1, false, lines), '/data');
  expect(failure).toBeInstanceOf(JobFailed);
  const { failure: described } = failure as JobFailed;
  expect(described.reason).toBe(reason);
  expect(described.evidence.join('\n')).toContain(evidence);
});
