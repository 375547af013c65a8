import { expect, test } from 'vitest';
import { processesWithEnvironment } from './processes.ts';
import { CommandFailed, runCommand } from './run-command.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const quick = { env, deadlineMs: 10_000 };

test('returns the lines of the output', async () => {
  expect(await runCommand('sh', ['-c', 'echo one; echo two >&2'], quick)).toEqual(['one', 'two']);
});

test('a failure has the exit code and the last lines', async () => {
  const error = await runCommand('sh', ['-c', 'echo no room; exit 3'], quick).catch((e: unknown) => e);
  expect(error).toMatchObject({
    message: 'sh ended with exit code 3',
    exitCode: 3,
    timedOut: false,
    lines: ['no room'],
  });
});

test('a missing program is a failure, not a crash', async () => {
  await expect(runCommand('no-such-program', [], quick)).rejects.toThrow(CommandFailed);
  await expect(runCommand('/etc/passwd/below-a-file', [], quick)).rejects.toThrow(CommandFailed);
});

test('a deadline and a cancel end the whole group, including a grandchild that ignores signals', async () => {
  const stubborn = ['-c', '(trap "" TERM INT; while :; do sleep 1; done) & wait'];
  const mark = `${process.pid}`; // other runs of the tests on this machine have marks of their own
  const marked = (how: string) => ({ ...env, RUN_COMMAND_TEST: `${mark}-${how}` });
  await expect(runCommand('sh', stubborn, { env: marked('deadline'), deadlineMs: 100 })).rejects.toMatchObject({
    timedOut: true,
  });
  const reason = new Error('cancelled by a person');
  const signal = AbortSignal.any([AbortSignal.timeout(100)]);
  const cancelled = new AbortController();
  signal.addEventListener('abort', () => cancelled.abort(reason));
  const options = { env: marked('cancel'), deadlineMs: 60_000, signal: cancelled.signal };
  await expect(runCommand('sh', stubborn, options)).rejects.toBe(reason);
  expect(await processesWithEnvironment('RUN_COMMAND_TEST', `${mark}-deadline`)).toEqual([]);
  expect(await processesWithEnvironment('RUN_COMMAND_TEST', `${mark}-cancel`)).toEqual([]);
});

test('a leader that ignores SIGTERM is killed after its grace', async () => {
  const deaf = ['-c', 'trap "" TERM; while :; do sleep 1; done'];
  await expect(runCommand('sh', deaf, { env, deadlineMs: 100 })).rejects.toMatchObject({ timedOut: true });
});

/** For a shell: waits until its last program in the background is that one. */
const UNTIL_SLEEP = 'until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done';

test('a grandchild in its own session neither delays the command nor outlives it', async () => {
  const marked = { ...quick, env: { ...env, RUN_COMMAND_TEST: `${process.pid}-session` } };
  expect(await runCommand('sh', ['-c', 'setsid sleep 60 & echo hi'], marked)).toEqual(['hi']);
  const silent = `sleep 60 >/dev/null 2>&1 & ${UNTIL_SLEEP}; setsid sleep 60 >/dev/null 2>&1 & ${UNTIL_SLEEP}`;
  await runCommand('sh', ['-c', silent], marked);
  expect(await processesWithEnvironment('RUN_COMMAND_TEST', `${process.pid}-session`)).toEqual([]);
});

test('a grandchild without an environment does not delay it either', async () => {
  const [pid] = await runCommand('sh', ['-c', `env -i setsid sleep 600 & ${UNTIL_SLEEP}; echo $!`], quick);
  expect(process.kill(Number(pid), 'SIGKILL')).toBe(true); // it was still running, with the pipe open
});

test('a cancel right after the call works', async () => {
  const cancelled = new AbortController();
  const running = runCommand('sleep', ['60'], { ...quick, signal: cancelled.signal });
  cancelled.abort(new Error('cancelled at once'));
  await expect(running).rejects.toThrow('cancelled at once');
});
