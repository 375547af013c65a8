/** A program in the place of git tells the arguments and the environment that it gets, and gives the answers of the test. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { gitVariables } from '../../testing/publishing/git-variables.ts';
import { answers, type Git, gitIn, lineLike, lineOf, OBJECT_ID, publicationMark } from './git-command.ts';

/** Tells how it was called, or does what its last arguments say. */
const program = `#!${process.execPath}
const [what, value] = process.argv.slice(-2);
if (what === 'exit') {
  console.log('all that it printed');
  console.error('fatal: no');
  process.exitCode = Number(value);
} else if (what === 'lines') process.stdout.write('x\\n'.repeat(Number(value)));
else if (what === 'sleep') setTimeout(() => {}, Number(value));
else console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env, cwd: process.cwd() }));
`;
let folder: string;
let standin: Readonly<Record<string, string>>;
const never = new AbortController().signal;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'git-command-')));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'git'), program, { mode: 0o755 });
  standin = { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Call {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}
async function called(more: Readonly<Record<string, string>>, ...[args, how]: Parameters<Git>): Promise<Call> {
  const [line = ''] = await gitIn(folder, { ...standin, ...more }, never)(args, how);
  return JSON.parse(line);
}
const failure = (ended: Promise<unknown>) =>
  ended.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );

describe('git gets', () => {
  test("the person's variables, of git's own only those about the network, the author and its programs", async () => {
    const kept = {
      HOME: '/home/ada',
      GIT_SSL_CAINFO: '/ca.pem',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
      GIT_EXEC_PATH: '/usr/lib/git-core',
      GIT_PROXY_COMMAND: 'proxy',
      GIT_HTTP_USER_AGENT: 'me',
    };
    const dropped = {
      GIT_DIR: '/elsewhere/.git',
      GIT_WORK_TREE: '/elsewhere',
      GIT_INDEX_FILE: '/elsewhere/index',
      GIT_OBJECT_DIRECTORY: '/elsewhere/objects',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_TRACE: '1',
      GIT_EXEC_PATH_OF_OTHERS: '/x',
    };
    const replaced = { LC_ALL: 'de_DE.UTF-8', LANG: 'de', GIT_ASKPASS: '/ask', SSH_ASKPASS: '/ask' };
    const { env, cwd } = await called({ ...kept, ...dropped, ...replaced }, ['status']);
    expect(env).toEqual({
      ...standin,
      ...kept,
      LC_ALL: 'C',
      LANG: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      GIT_DEFAULT_HASH: 'sha1',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_CONFIG_COUNT: '0',
      ROBOT_PUBLICATION: publicationMark(folder),
      ROBOT_COMMAND_TOKEN: expect.any(String),
    });
    expect(cwd).toBe(folder);
  });

  test("settings under which no hook or helper of the author runs, then the call's own, then its arguments", async () => {
    const settings = [['protocol.allow', 'never']] as const;
    const { args } = await called({}, ['push', '--', 'url'], { settings });
    expect(args).toEqual([
      ...['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'],
      ...['-c', 'credential.helper=', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'push.gpgSign=false'],
      ...['-c', 'protocol.allow=never', 'push', '--', 'url'],
    ]);
  });

  test('secret settings by variables and not as arguments, beside the variables of the call', async () => {
    const secretSettings = [
      ['http.extraHeader', ''],
      ['http.extraHeader', 'Authorization: secret'],
    ] as const;
    const { args, env } = await called({}, ['fetch'], { secretSettings, env: { GIT_INDEX_FILE: '/own', LANG: 'de' } });
    expect(args.join(' ')).not.toContain('secret');
    expect(env).toMatchObject({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.extraHeader',
      GIT_CONFIG_VALUE_0: '',
      GIT_CONFIG_KEY_1: 'http.extraHeader',
      GIT_CONFIG_VALUE_1: 'Authorization: secret',
      GIT_INDEX_FILE: '/own',
      LANG: 'de',
    });
  });

  test('a mark of the folder, by which its programs are found later', () => {
    expect(publicationMark('/apps/wave')).toMatch(/^[0-9a-f]{24}$/);
    expect(publicationMark('/apps/wave')).toBe(publicationMark('/apps/wave'));
    expect(publicationMark('/apps/wave')).not.toBe(publicationMark('/apps/nod'));
  });
});

test("git works in the folder's repository, whichever one the variables name", async () => {
  const git = gitIn(folder, { ...gitVariables(), GIT_DIR: join(folder, 'bin') }, never);
  await git(['init', '--quiet']);
  expect(await git(['rev-parse', '--absolute-git-dir'])).toEqual([join(folder, '.git')]);
});

describe('a call of git', () => {
  const git: Git = (...call) => gitIn(folder, standin, never)(...call);

  test('that fails tells its exit code and all that it printed', async () => {
    const error = await failure(git(['exit', '3']));
    expect(error).toBeInstanceOf(CommandFailed);
    expect(error).toMatchObject({ message: 'git ended with exit code 3', exitCode: 3, timedOut: false });
    expect([...(error as CommandFailed).lines].sort()).toEqual(['all that it printed', 'fatal: no']);
  });

  test('that cannot be started has no exit code', async () => {
    const error = await failure(gitIn(folder, gitVariables(false), never)(['status']));
    expect(error).toMatchObject({ command: 'git', exitCode: null, timedOut: false });
  });

  test('that takes too long is ended', async () => {
    expect(await failure(git(['sleep', '30000'], { deadlineMs: 20 }))).toMatchObject({ timedOut: true });
  });

  test('is refused once the publication is cancelled, with the reason', async () => {
    const reason = new Error('cancelled');
    expect(await failure(gitIn(folder, standin, AbortSignal.abort(reason))(['status']))).toBe(reason);
  });

  test('returns every line, up to a hundred thousand', async () => {
    expect(await git(['lines', '99999'])).toHaveLength(99_999);
    for (const count of [100_000, 100_001]) {
      const error = await failure(git(['lines', `${count}`]));
      expect(error).toBeInstanceOf(CommandFailed);
      expect(error).toMatchObject({
        message: 'git printed too many lines',
        command: 'git',
        exitCode: null,
        timedOut: false,
        exceeded: 'amount',
        lines: [],
      });
    }
  });
});

describe('an answer of git', () => {
  const ended = (exitCode: number | null) => new CommandFailed('git', 'ended', exitCode, false, []);
  const failing =
    (error: unknown): Git =>
    async () => {
      throw error;
    };

  test('is yes or no by its exit code; every other end is a failure', async () => {
    const asked: (readonly string[])[] = [];
    const yes: Git = async (args) => {
      asked.push(args);
      return ['noise'];
    };
    expect(await answers(yes, ['merge-base', 'a', 'b'])).toBe(true);
    expect(asked).toEqual([['merge-base', 'a', 'b']]);
    expect(await answers(failing(ended(1)), [])).toBe(false);
    for (const error of [ended(0), ended(128), ended(null), new Error('other')]) {
      expect(await failure(answers(failing(error), []))).toBe(error);
    }
  });

  test('of one line is the first of its form, or none at exit code 1', async () => {
    const printing: Git = async (args) => ['warning: slow', `${args[0]}-1`, `${args[0]}-2`];
    expect(await lineOf(printing, ['ref'], /^ref/)).toBe('ref-1');
    expect(await lineOf(printing, ['ref'], /^other/)).toBeNull();
    expect(await lineOf(failing(ended(1)), [], /./)).toBeNull();
    for (const error of [ended(2), ended(null), new Error('other')]) {
      expect(await failure(lineOf(failing(error), [], /./))).toBe(error);
    }
    expect(lineLike([], /./)).toBeNull();
  });

  test.each([
    ['a'.repeat(40), true],
    ['0123456789abcdef'.repeat(4), true],
    ['a'.repeat(39), false],
    ['a'.repeat(41), false],
    ['a'.repeat(65), false],
    [`${'a'.repeat(39)}g`, false],
    [`commit ${'a'.repeat(40)}`, false],
  ])('%s is an object id: %s', (line, isOne) => {
    expect(OBJECT_ID.test(line)).toBe(isOne);
  });
});
