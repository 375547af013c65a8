/** Eight threads that call everything of one robot at once: real Python, the real SDK, the simulated robot. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { projectDir, startTestDaemon } from '../testing/daemon/test-daemon.ts';
import { pythonFromIndex } from '../testing/python/python-from-index.ts';

/** In `npm test` a few seconds. */
const seconds = Number(process.env['TORTURE_THREADS_S'] ?? 5);
const seed = Number(process.env['TORTURE_SEED'] ?? 20261123);

interface Totals {
  readonly calls: Readonly<Record<string, number>>;
  /** Documented errors, by call. */
  readonly errors: Readonly<Record<string, number>>;
  /** Other errors, with their tracebacks. */
  readonly trouble: readonly string[];
}

test('eight threads call everything at once: each call ends, with its result or a documented error', {
  timeout: (seconds + 200) * 1000,
}, async () => {
  await using daemon = await startTestDaemon({ wakeUpOnStart: true });
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'));
  const numpy = await pythonFromIndex('numpy', childEnvironment(process.env, 'numpy'));
  if ('missing' in numpy) console.warn('SKIPPED: the calls of the camera beside others, which need numpy.');
  const python = 'python' in numpy ? numpy.python : 'python3';
  const program = join(projectDir, 'daemon', 'testing', 'sdk-programs', 'every_call.py');
  const { stdout, stderr } = await execa(python, ['-B', program, String(seed), String(seconds)], {
    env: { PYTHONPATH: join(projectDir, 'assets', 'python-sdk'), ROBOT_DAEMON_URL: daemon.url },
    reject: false,
    timeout: (seconds + 180) * 1000,
  });
  const { calls, errors, trouble } = JSON.parse(stdout || '{ "trouble": ["no result"] }') as Totals;
  expect({ trouble, stderr: stderr.split('\n').filter((line) => line.includes('hangs')) }, stderr).toEqual({
    trouble: [],
    stderr: [],
  });
  const count = Object.values(calls).reduce((sum, each) => sum + each, 0);
  console.log(`${count} calls in ${seconds} s with TORTURE_SEED=${seed}; documented errors: ${JSON.stringify(errors)}`);
  expect(count).toBeGreaterThan(8);
});
