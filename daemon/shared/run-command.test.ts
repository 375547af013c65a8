import { expect, test } from 'vitest';
import { processesWithEnvironment } from './processes.ts';
import { CommandFailed, runCommand } from './run-command.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const quick = { env, deadlineMs: 10_000 };

test('gives the lines that the command wrote', async () => {
  expect(await runCommand('sh', ['-c', 'echo one; echo two >&2'], quick)).toEqual(['one', 'two']);
});

test('a bad end says how, with the last lines', async () => {
  const error = await runCommand('sh', ['-c', 'echo no room; exit 3'], quick).catch((e: unknown) => e);
  expect(error).toMatchObject({
    message: 'sh ended with exit code 3',
    exitCode: 3,
    timedOut: false,
    lines: ['no room'],
  });
});

test('a program that is not there is a failure, not a crash', async () => {
  await expect(runCommand('no-such-program', [], quick)).rejects.toThrow(CommandFailed);
  await expect(runCommand('/etc/passwd/below-a-file', [], quick)).rejects.toThrow(CommandFailed);
});

test('a deadline and a cancel end the whole group, a stubborn grandchild too', async () => {
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
