import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ModelServerError } from '../../client/chat-stream.ts';
import { DaemonError } from '../../client/daemon-error.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { captureOutput } from '../../testing/terminal/in-process.ts';
import { BadArguments, Interrupted, NoDaemon } from './errors.ts';
import { reportFailure } from './report-failure.ts';

class NoSuchThing extends DomainError {}

/** The text that is printed of a failure, and the exit code. */
function reported(error: unknown, program?: string) {
  const { out, err, code } = captured(() => reportFailure(error, program));
  return { out, err, code };
}
function captured(work: () => void) {
  const printed = captureOutput();
  work();
  return printed;
}

test.each([
  ['an interrupt', new Interrupted(), '', 130],
  ['a missing daemon', new NoDaemon('/data', 'Start it.'), 'No robot daemon runs on /data. Start it.\n', 3],
  ['bad arguments', new BadArguments('--x needs y.'), 'robot-daemon: --x needs y.\nTry --help.\n', 2],
  ['an expected failure', new NoSuchThing('There is no thing.'), 'robot-daemon: There is no thing.\n', 1],
  ['a refusal of the daemon', new DaemonError(409, 'An app runs.'), 'robot-daemon: An app runs.\n', 1],
  ['a silent daemon', new DaemonError(null, 'No answer.'), 'robot-daemon: No answer.\n', 1],
  ['a refusal of a model', new ModelServerError(503, 'It sleeps.'), 'robot-daemon: It sleeps.\n', 1],
  [
    'a full disk',
    new DiskFull('/data'),
    'robot-daemon: The disk of /data is full. Free some space on it (remove apps or model files that you no longer need), then try again.\n',
    1,
  ],
])('of %s the sentence is printed on standard error, with its exit code', (_, error, err, code) => {
  expect(reported(error)).toEqual({ out: '', err, code });
});

test('the issues of a refused request follow: sentences alone, other texts after the part that they are about', () => {
  const issues = [
    { path: ['model', 'files', 0], message: 'too long' },
    { path: ['name'], message: 'Name the endpoint.' },
    { path: ['tag'], message: '"a b" has a space!' },
    { path: ['type'], message: 'Which one?' },
    { path: ['size'], message: 'Too big' },
  ];
  expect(reported(new DaemonError(400, 'The request is refused.', issues)).err).toBe(
    'robot-daemon: The request is refused. model.files.0: too long. Name the endpoint. "a b" has a space! Which one? size: Too big.\n',
  );
});

test('an issue that the message has already is not repeated', () => {
  const issues = [
    { path: ['url'], message: 'The address is too long.' },
    { path: ['more'], message: 'does not belong here' },
  ];
  expect(reported(new DaemonError(400, 'The address is too long.', issues)).err).toBe(
    'robot-daemon: The address is too long. more: does not belong here.\n',
  );
});

test('a refusal of the operating system names the doctor', async () => {
  const error = await readFile('/nowhere/at/all').catch((refusal: unknown) => refusal);
  expect(reported(error)).toEqual({
    ...{ out: '', code: 1 },
    err: `robot-daemon: ENOENT: no such file or directory, open '/nowhere/at/all'. "robot-daemon doctor" finds what is wrong with the data folder.\n`,
  });
});

test('the line begins with the name of the program', () => {
  expect(reported(new NoSuchThing('No.'), 'robot-app-assistant').err).toBe('robot-app-assistant: No.\n');
});

test('a message from elsewhere stays one line, without control characters', () => {
  expect(reported(new DaemonError(500, 'one\ntwo\u001b[2J')).err).toBe('robot-daemon: one\\ntwo\\u001b[2J\n');
});

test.each([new TypeError('bug'), Object.assign(new Error('bug'), { code: 'E' }), 'bug', undefined])(
  'a bug is thrown as it is, and nothing is printed: %s',
  (bug) => {
    let thrown: unknown = 'nothing';
    const { err, code } = captured(() => {
      try {
        reportFailure(bug);
      } catch (error) {
        thrown = error;
      }
    });
    expect({ thrown, err, code }).toEqual({ thrown: bug, err: '', code: 0 });
  },
);
