/** The commands of an install, with small real programs. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processesInGroup } from '../../shared/processes/processes.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { installRunner } from './install-runner.ts';

let work: string;
beforeEach(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), 'install-runner-')));
});
afterEach(() => rm(work, { recursive: true, force: true }));

const node = (source: string) => [process.execPath, ['-e', source]] as const;
const printed = 'console.log(JSON.stringify(process.env))';
/** @param child the variables of the daemon's children */
function runner({ child = {}, onLog = () => {} }: { child?: Record<string, string>; onLog?: (line: string) => void }) {
  const log: string[] = [];
  const cancel = new AbortController();
  const run = installRunner({
    childEnvironment: () => child,
    cacheDir: '/cache',
    work,
    progress: {
      signal: cancel.signal,
      log: (line) => {
        log.push(line);
        onLog(line);
      },
    },
  });
  return { run, log, cancel };
}
const environment = async (
  child: Record<string, string>,
  ...more: Parameters<ReturnType<typeof installRunner>>[2][]
) => {
  const [line = ''] = await runner({ child }).run(...node(printed), ...more);
  const { ROBOT_COMMAND_TOKEN: _, ...env } = JSON.parse(line);
  return env;
};
const failure = (ended: Promise<unknown>) =>
  ended.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );

test("a command has the daemon's variables for children, the caches, and the install's own folder for temporary files", async () => {
  const child = { PATH: '/bin', TMPDIR: '/tmp/of-the-user', TEMP: '/other', UV_PYTHON_DOWNLOADS: 'automatic' };
  expect(await environment(child)).toEqual({
    PATH: '/bin',
    UV_CACHE_DIR: join('/cache', 'uv'),
    PIP_CACHE_DIR: join('/cache', 'pip'),
    UV_PYTHON_DOWNLOADS: 'never',
    TMPDIR: work,
    TMP: work,
    TEMP: work,
  });
  expect(await environment({ UV_CACHE_DIR: '/of-the-user' })).toMatchObject({ UV_CACHE_DIR: '/of-the-user' });
});

test('the variables of the children are read again for each command', async () => {
  let number = 0;
  const run = installRunner({
    childEnvironment: () => ({ NUMBER: `${++number}` }),
    cacheDir: '/cache',
    work,
    progress: { signal: new AbortController().signal, log: () => {} },
  });
  const source = 'console.log(process.env.NUMBER)';
  expect([await run(...node(source)), await run(...node(source))]).toEqual([['1'], ['2']]);
});

test('a command may have more variables, and other ways to run', async () => {
  const moreEnv = { PIP_CONSTRAINT: 'file:///c', TMPDIR: '/elsewhere' };
  expect(await environment({}, { moreEnv })).toMatchObject({ ...moreEnv, TMP: work });
  const { run, log } = runner({});
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  expect(await run(...node('console.log(process.cwd())'), { cwd: work, onLine })).toEqual([work]);
  expect([lines, log]).toEqual([[work], []]);
});

test('its lines are logged and returned, and a failure has them', async () => {
  const { run, log } = runner({});
  expect(await run(...node('console.log("one"); console.log("two")'))).toEqual(['one', 'two']);
  const error = await failure(run(...node('console.log("three"); process.exit(4)')));
  expect(error).toBeInstanceOf(CommandFailed);
  expect(error).toMatchObject({ exitCode: 4, timedOut: false, lines: ['three'] });
  expect(log).toEqual(['one', 'two', 'three']);
});

test('it is ended at its deadline', async () => {
  const { run } = runner({});
  const error = await failure(run(...node('setTimeout(() => {}, 5_000)'), { deadlineMs: 20 }));
  expect(error).toMatchObject({ timedOut: true });
});

test('a cancel ends the command and its children, and it fails with the reason of the cancel', async () => {
  const reason = new Error('cancelled');
  const groups: number[] = [];
  const { run, cancel } = runner({
    child: { PATH: process.env['PATH'] ?? '' },
    onLog: (line) => {
      groups.push(Number(line));
      cancel.abort(reason);
    },
  });
  // Ends by itself, so that a cancel that does not reach it is found soon.
  expect(await failure(run('sh', ['-c', 'sleep 3 & echo $$; wait']))).toBe(reason);
  expect(groups).toEqual([expect.any(Number)]);
  expect(await processesInGroup(groups[0] ?? 0)).toEqual([]);
  expect(await failure(run(...node(printed)))).toBe(reason);
});
