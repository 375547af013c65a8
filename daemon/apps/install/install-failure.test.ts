import { expect, test } from 'vitest';
import { JobFailed } from '../../jobs/errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { importFailure, installFailure } from './install-failure.ts';

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

test.each([
  [
    '  cause: `moves` references a workspace in `tool.uv.sources` (e.g., `moves = { workspace = true }`), but is not a workspace member',
    'The app requires moves as a part of its own workspace, which is not installed with it.',
    'Ask the author to publish moves as a package, or to put it into the folder of the app.',
  ],
  [
    'error: Distribution not found at: file:///home/ada/moves',
    'The app requires a package in the folder moves beside its own, which is not installed with it.',
    'Ask the author to publish it as a package, or to put it into the folder of the app.',
  ],
])('uv, a package of a workspace: %s', (line, message, action) => {
  const lines = ['error: Failed to build `dance @ file:///src/dance`', line];
  const failure = installFailure(new CommandFailed('uv', 'ended with exit code 1', 1, false, lines), '/data');
  expect((failure as JobFailed).failure).toEqual({ reason: 'dependency-conflict', message, action, evidence: [line] });
});

test.each([
  [
    "ModuleNotFoundError: No module named 'mediapipe'",
    'Ask the author to add mediapipe to the dependencies in pyproject.toml.',
  ],
  [
    "ModuleNotFoundError: No module named 'cv2'",
    'Ask the author to add opencv-python to the dependencies in pyproject.toml.',
  ],
  ["ModuleNotFoundError: No module named 'dance.steps'", 'Ask the author to add it to the packages in pyproject.toml.'],
  [
    "ModuleNotFoundError: No module named 'robot.utils.constants'",
    'Look for an update of Robot Desktop, or ask the author for a version that works with SDK 1.0.0.',
  ],
  [
    "ImportError: cannot import name 'Wheels' from 'robot' (/env/lib/python3.12/site-packages/robot/__init__.py)",
    'Look for an update of Robot Desktop, or ask the author for a version that works with SDK 1.0.0.',
  ],
  [
    "ModuleNotFoundError: No module named 'distutils'",
    'Ask the author which Python it needs, and install it again with that one.',
  ],
  ['OSError: PortAudio library not found', 'Install that library, then install it again.'],
  ['ValueError: no such step', 'Ask the author to fix dance/main.py, line 3.'],
])('an import that fails with %s has the advice that suits it', (cause, action) => {
  const lines = [
    'Traceback (most recent call last):',
    '  File "/installer/check_class.py", line 40, in <module>',
    '    module = importlib.import_module(name)',
    '  File "/env/lib/python3.12/site-packages/dance/main.py", line 3, in <module>',
    '    from steps import first',
    cause,
  ];
  const error = new CommandFailed('python', 'ended with exit code 1', 1, false, lines);
  const failed = importFailure(error, 'dance.main', '/data', '1.0.0');
  expect(failed).toBeInstanceOf(JobFailed);
  expect((failed as JobFailed).failure).toMatchObject({
    reason: 'import-error',
    message: `The app cannot be imported: ${cause} (dance/main.py:3).`,
    action,
  });
});

test('an import that fails without a place in the code refers to the log', () => {
  const lines = ['SystemExit: 3'];
  const error = new CommandFailed('python', 'ended with exit code 1', 1, false, lines);
  expect((importFailure(error, 'dance.main', '/data', '1.0.0') as JobFailed).failure.action).not.toContain('output');
});
