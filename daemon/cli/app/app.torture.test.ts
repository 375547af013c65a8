/** The commands `robot-daemon app`, on a real daemon with real apps. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Job } from '../../contract/jobs.ts';
import { runCli, startCli } from '../../testing/daemon/run-cli.ts';
import {
  fixtureApp,
  newDataDir,
  robotDaemonProgram,
  startTestDaemon,
  type TestDaemon,
} from '../../testing/daemon/test-daemon.ts';
import { inTerminal } from '../../testing/terminal/in-terminal.ts';

let daemon: TestDaemon;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-own-'));
  daemon = await startTestDaemon();
}, 60_000);
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const app = (...args: string[]) => runCli('app', ...args, '--data-dir', daemon.dataDir);
const terminal = (args: readonly string[], steps: Parameters<typeof inTerminal>[1]) =>
  inTerminal([process.execPath, robotDaemonProgram, 'app', ...args, '--data-dir', daemon.dataDir], steps);
const listed = async () => JSON.parse((await app('ls', '--json')).out) as (InstalledApp & { state: string })[];

/** A copy of a test app with another version. */
async function copyOf(name: string, version: string): Promise<string> {
  const copy = join(folder, name);
  await cp(fixtureApp(name), copy, { recursive: true });
  const project = join(copy, 'pyproject.toml');
  const text = await readFile(project, 'utf8');
  await writeFile(project, text.replace(/^version = ".*"$/m, `version = "${version}"`));
  return copy;
}

/** An app that fails before it reaches the robot, so that its start is awaited to its end. */
async function crashingApp(): Promise<string> {
  const copy = await copyOf('crashes', '0.1.0');
  const main = join(copy, 'crashes', 'main.py');
  const code = await readFile(main, 'utf8');
  await writeFile(main, code.replace('    app = Crashes()', '    raise RuntimeError("the flux is not compensated")'));
  return copy;
}

test('of an app that is not installed, a similar name is suggested', async () => {
  await app('install', await copyOf('forks', '0.1.0'));
  for (const command of [['start'], ['update'], ['rollback'], ['rm', '--yes']]) {
    expect((await app(...command, 'Forks')).text, command[0]).toContain(
      'no installed app "Forks". Did you mean forks?',
    );
  }
  const unknown = await app('rm', 'nope', '--yes');
  expect(unknown).toMatchObject({ code: 1, text: expect.stringContaining('"robot-daemon app ls" lists') });
  await app('rm', 'forks', '--yes');
}, 120_000);

test('an app is installed, and listed as text and as JSON; install is another name of it', async () => {
  expect(await app('ls')).toMatchObject({ code: 0, out: expect.stringMatching(/^No apps\. To install one: /) });
  const polite = await copyOf('polite', '0.1.0');
  const { code, out, text } = await app('install', polite);
  expect({ code, out }).toEqual({ code: 0, out: 'polite is installed.\n' });
  expect(text).toContain('Inspect the source…\n');
  const again = await runCli('install', await crashingApp(), '--json', '--data-dir', daemon.dataDir);
  expect(JSON.parse(again.out) as Job).toMatchObject({ kind: 'install-app', state: 'done', appName: 'crashes' });

  const list = await app('ls');
  expect(list.out).toMatch(/^NAME +VERSION +STATE +UPDATE +SOURCE\n/);
  expect(list.out).toContain(polite);
  expect((await listed()).map(({ name, state }) => ({ name, state }))).toEqual([
    { name: 'crashes', state: 'off' },
    { name: 'polite', state: 'off' },
  ]);
});

test('on a terminal, the steps of an install are shown in one line that is rewritten', async () => {
  const { code, output } = await terminal(['install', fixtureApp('forks')], []);
  expect(code).toBe(0);
  expect(output).toMatch(/\[\d\/7\] Build the environment/);
  expect(output.split('\n')).toEqual([expect.stringMatching(/forks is installed\.$/), '']);
});

test('a start waits until the app runs; another one replaces it only when that is asked for', async () => {
  expect(await app('start', 'polite')).toMatchObject({ code: 0, out: 'polite runs.\n' });
  expect((await listed()).find(({ name }) => name === 'polite')?.state).toBe('running');
  const refused = await app('start', 'forks');
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('An app is already running: "polite"') });
  const replaced = await app('start', 'forks', '--replace', '--json');
  expect(JSON.parse(replaced.out)).toMatchObject({ state: 'running', holder: { appName: 'forks' } });
  await app('stop');
  const unknown = await app('start', 'nothing');
  expect(unknown).toMatchObject({ code: 1, text: expect.stringMatching(/^robot-daemon: .*"nothing"/) });
});

test('a start of an app that fails says why, with the line of its code', async () => {
  const failed = await app('start', 'crashes');
  expect(failed.code).toBe(1);
  expect(failed.out).toMatch(/^crashes: It crashed: .+\n {2}crashes\/main\.py:\d+: .+\n/);
  const asJson = await app('start', 'crashes', '--json');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.out)).toMatchObject({
    state: 'ended',
    run: { outcome: 'crashed', diagnosis: { ownLine: { file: 'crashes/main.py' } } },
  });
});

test('the running app is stopped, and no other one in its place', async () => {
  expect(await app('stop')).toMatchObject({ code: 0, out: 'No app runs.\n' });
  await app('start', 'polite');
  expect(await app('stop', 'forks')).toMatchObject({ code: 1, text: expect.stringContaining('polite does') });
  expect(await app('stop', 'polite')).toMatchObject({ code: 0, out: 'polite: Stopped.\n' });
  await app('install', fixtureApp('ignores_sigint'));
  await app('start', 'ignores_sigint');
  expect(JSON.parse((await app('stop', '--force', '--json')).out)).toMatchObject({
    state: 'free',
    lastRun: { appName: 'ignores_sigint', outcome: 'killed' },
  });
});

test('the output of an ended run is printed, also the newest lines only', async () => {
  const all = await app('logs', 'crashes');
  expect(all.code).toBe(0);
  expect(all.out).toContain('Traceback');
  const lines = all.out.split('\n').slice(0, -1);
  expect((await app('logs', 'crashes', '--lines', '2')).out).toBe(`${lines.slice(-2).join('\n')}\n`);
  const page = JSON.parse((await app('logs', 'crashes', '--lines', '1', '--json')).out);
  expect(page).toMatchObject({ appName: 'crashes', lines: [{ number: lines.length, text: lines.at(-1) }] });
  expect((await app('logs', '--run', page.runId)).out).toBe(all.out);
  expect(await app('logs', 'nothing')).toMatchObject({ code: 1, text: expect.stringContaining('has not run yet') });
});

test('the output is followed until the run ends, every line once and in order', async () => {
  await app('start', 'polite', '--replace');
  const { process: child, ended } = startCli('app', 'logs', '--follow', '--data-dir', daemon.dataDir);
  let seen = '';
  child.stdout.on('data', (piece: Buffer) => {
    seen += piece.toString();
  });
  await vi.waitFor(async () => expect(seen).toBe((await daemon.output()).map((line) => `${line}\n`).join('')), 20_000);
  await app('stop');
  const { code, text, out } = await ended;
  expect({ code, out }).toEqual({ code: 0, out: (await daemon.output()).map((line) => `${line}\n`).join('') });
  expect(text).toContain('polite: Stopped.');
});

test('Ctrl-C ends the following with code 130, and the app goes on', async () => {
  await app('start', 'polite');
  const { process: child, ended } = startCli('app', 'logs', '--follow', '--data-dir', daemon.dataDir);
  await vi.waitFor(() => expect(child.pid).toBeDefined());
  const ready = new Promise((resolve) => child.stdout.once('data', resolve));
  await ready;
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(await daemon.slot()).toMatchObject({ state: 'running' });
  await app('stop');
});

test('an app is updated, rolled back and updated again', async () => {
  await copyOf('polite', '0.2.0');
  expect(await app('update', 'polite')).toMatchObject({ code: 0, out: 'polite is up to date.\n' });
  expect((await listed()).find(({ name }) => name === 'polite')?.version).toBe('0.2.0');
  expect(await app('rollback', 'polite')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^polite is at version 0\.1\.0 again, from \/.*polite\.\n$/),
  });
  expect(JSON.parse((await app('rollback', 'polite', '--json')).out)).toMatchObject({ version: '0.2.0' });
  expect(await app('rollback', 'forks')).toMatchObject({ code: 1, text: expect.stringContaining('earlier version') });
});

test('all apps are up to date when no source has a newer version', async () => {
  expect(await app('update')).toMatchObject({ code: 0, out: 'All apps are up to date.\n' });
  expect(JSON.parse((await app('update', '--json')).out)).toEqual([]);
});

test('an app is removed after a yes, or with --yes; without a terminal, nobody can be asked', async () => {
  expect(await app('rm', 'polite')).toMatchObject({ code: 2, text: expect.stringContaining('give --yes') });
  const no = await terminal(['rm', 'polite'], [{ wait: '\\[y/N\\]', send: '\r' }]);
  expect(no).toMatchObject({ code: 1, output: expect.stringContaining('polite is not removed.') });
  const interrupted = await terminal(['rm', 'polite'], [{ wait: '\\[y/N\\]', send: '\u0003' }]);
  expect(interrupted.code).toBe(130);
  expect((await listed()).map(({ name }) => name)).toContain('polite');
  const yes = await terminal(['rm', 'polite'], [{ wait: '\\[y/N\\]', send: 'y\r' }]);
  expect(yes).toMatchObject({ code: 0, output: expect.stringContaining('polite is removed.') });
  expect((await app('rm', 'forks', '--yes', '--json')).code).toBe(0);
  expect((await listed()).map(({ name }) => name)).not.toContain('forks');
});

test('an interrupt of an install cancels it', async () => {
  const { process: child, ended } = startCli(
    'app',
    'install',
    fixtureApp('slow_to_import'),
    '--data-dir',
    daemon.dataDir,
  );
  await vi.waitFor(async () => {
    const jobs = await daemon.call('listJobs');
    expect(jobs.some(({ state, subject }) => state === 'running' && subject.includes('slow_to_import'))).toBe(true);
  }, 20_000);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  const [job] = await daemon.call('listJobs');
  expect(job).toMatchObject({ state: 'cancelled' });
});

test('bad arguments are refused with a sentence, and a missing daemon has its own exit code', async () => {
  for (const args of [[], ['start'], ['logs', '--lines', 'many'], ['rm', 'a', 'b'], ['sart'], ['ls', '--replace']])
    expect((await app(...args)).code, args.join(' ')).toBe(2);
  expect((await app('sart')).text).toContain('Did you mean start?');
  const nowhere = await newDataDir([]);
  for (const args of [
    ['ls'],
    ['install', '.'],
    ['start', 'x'],
    ['stop'],
    ['logs'],
    ['update'],
    ['rollback', 'x'],
    ['rm', 'x'],
  ])
    expect(await runCli('app', ...args, '--data-dir', nowhere), args.join(' ')).toMatchObject({
      code: 3,
      text: `No robot daemon runs on ${nowhere}. Start it first: robot-daemon\n`,
    });
  await rm(nowhere, { recursive: true, force: true });
});
