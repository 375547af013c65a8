/** The commands on a daemon that runs, hangs, was killed, or does not exist. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { askDaemon, daemonAt } from '../client/node/daemon-at.ts';
import { install } from '../client/node/install.ts';
import { isDataFolderLocked, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { type Leader, readLeaders } from '../shared/processes/leader-register.ts';
import { endOrphans } from '../shared/processes/orphans.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { processesInGroup, signalGroup, signalProcess } from '../shared/processes/processes.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { type CliProcess, runCli, startCli } from '../testing/daemon/run-cli.ts';
import { fixtureApp, newDataDir, projectDir, robotDaemonProgram } from '../testing/daemon/test-daemon.ts';
import { runningDaemon } from './shared/holder.ts';

const folders: string[] = [];
const ends: (() => Promise<unknown>)[] = [];
async function cleanUp(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
  for (const folder of folders.splice(0)) {
    await endOrphans(dataPaths(folder), 2_000); // of the killed daemons
    await rm(folder, { recursive: true, force: true });
  }
}
async function dataFolder(): Promise<string> {
  const folder = await newDataDir();
  folders.push(folder);
  return folder;
}
async function startDaemon(dataDir: string, ...more: string[]): Promise<DaemonProcess> {
  const daemon = await startDaemonProcess(dataDir, more);
  ends.push(() => daemon.kill());
  return daemon;
}
/** Runs `robot-daemon restart`, whose process becomes the daemon. */
function restart(dataDir: string): CliProcess {
  const again = startCli('restart', '--data-dir', dataDir);
  ends.push(async () => {
    again.process.kill('SIGKILL');
    await again.ended;
  });
  return again;
}
const comesUp = (again: CliProcess, dataDir: string) =>
  vi.waitFor(
    async () => {
      const running = await runningDaemon({ paths: dataPaths(dataDir) }, 0);
      expect(running?.status.pid).toBe(again.process.pid);
      return running as NonNullable<typeof running>;
    },
    { timeout: 40_000, interval: 100 },
  );

/** An app whose child clears its environment, including the mark and the run's token. */
async function appWithHiddenChild(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'robot-desktop-apps-')), 'new_session');
  folders.push(join(folder, '..'));
  await cp(fixtureApp('new_session'), folder, { recursive: true });
  const main = join(folder, 'new_session', 'main.py');
  const code = await readFile(main, 'utf8');
  const hidden = code.replace(/subprocess\.Popen\([\s\S]*?\n {8}\)/, 'subprocess.Popen(["env", "-i", "sleep", "600"])');
  expect(hidden).toContain('"env", "-i"');
  await writeFile(main, hidden);
  return folder;
}
async function startApp(url: string, folder: string, name: string): Promise<void> {
  expect(await install(daemonAt(url), folder)).toMatchObject({ state: 'done' });
  await startInstalled(url, name);
}
async function startInstalled(url: string, appName: string): Promise<void> {
  const daemon = daemonAt(url);
  await daemon.call('startApp', { params: { appName } });
  const connected = async () => expect(await daemon.call('getAppSlot')).toMatchObject({ sdk: 'connected' });
  await vi.waitFor(connected, { interval: 100 });
}

describe('on its own', () => {
  afterEach(cleanUp);

  test('status and stop report that no daemon runs; status has its own exit code for it', async () => {
    const dataDir = await dataFolder();
    const none = `No robot daemon runs on ${dataDir}.\n`;
    expect(await runCli('status', '--data-dir', dataDir)).toMatchObject({ code: 3, text: none });
    expect(await runCli('stop', '--data-dir', dataDir)).toMatchObject({ code: 0, text: none });
  });

  test('by npm, which runs a script in its project, paths are relative to the folder of the user', async () => {
    const folder = await dataFolder();
    const env = { npm_lifecycle_event: 'daemon', npm_package_json: join(projectDir, 'package.json') };
    const status = async (user: string) =>
      execa(process.execPath, [robotDaemonProgram, 'status', '--data-dir', './data'], {
        env: { ...env, INIT_CWD: user },
        reject: false,
      });
    expect((await status(folder)).stdout).toBe(`No robot daemon runs on ${join(folder, 'data')}.`);
    const gone = await status(join(folder, 'gone'));
    expect(gone.stdout).toBe(`No robot daemon runs on ${join(process.cwd(), 'data')}.`);
  });

  test.each(['status', 'stop', 'restart', 'doctor'])(
    '%s has a help text, and refuses unknown options',
    async (name) => {
      const help = await runCli(name, '--help');
      expect(help).toMatchObject({ code: 0, text: expect.stringContaining(`Usage: robot-daemon ${name}`) });
      expect(help.text).toContain('2 bad arguments');
      const refused = await runCli(name, '--colour');
      expect(refused).toMatchObject({
        code: 2,
        text: expect.stringContaining("robot-daemon: Unknown option '--colour'"),
      });
    },
  );

  test('the next daemon leaves a process alone that reuses the id of an ended app', async () => {
    const dataDir = await dataFolder();
    const stranger = execa('sleep', ['600'], { detached: true, stdio: 'ignore', reject: false });
    const pid = stranger.pid as number;
    ends.push(async () => signalGroup(pid, 'SIGKILL'));
    const startTime = (await startTimeOf(pid)) as string;
    const leaders = [{ pid, startTime: `${startTime}0`, startedSinceBoot: 0 }];
    await writeFile(dataPaths(dataDir).leadersFile, JSON.stringify({ leaders }));
    await startDaemon(dataDir);
    expect(await startTimeOf(pid)).toBe(startTime);
  });

  test('a holder of the folder that is not a daemon is not ended', async () => {
    const dataDir = await dataFolder();
    const paths = dataPaths(dataDir);
    const lock = await lockDataFolder(paths);
    await writeFile(paths.instanceFile, JSON.stringify({ pid: process.ppid, url: null }));
    const { code, text } = await runCli('stop', '--data-dir', dataDir);
    lock.release();
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringContaining('An unknown process holds the data folder'),
    });
    expect(await startTimeOf(process.ppid)).not.toBeNull();
    expect(await isDataFolderLocked(paths)).toBe(false);
  });
});

describe('one daemon after the other', () => {
  afterAll(cleanUp);
  let dataDir: string;
  let first: DaemonProcess;
  let again: CliProcess;

  test('status shows the address of the daemon and what it is doing', async () => {
    dataDir = await dataFolder();
    first = await startDaemon(dataDir, '--no-wake-up-on-start');
    const { code, text } = await runCli('status', '--data-dir', dataDir);
    expect(code).toBe(0);
    for (const part of [
      first.url,
      `${first.process.pid},`,
      dataDir,
      'simulation',
      'app          none',
      'jobs         none',
    ])
      expect(text).toContain(part);
  });

  test('restart stops a daemon and becomes one with the same options at the same address', async () => {
    again = restart(dataDir);
    expect(await first.exited).toBe(0);
    const { url } = await comesUp(again, dataDir);
    expect(url).toBe(first.url);
    expect(await daemonAt(url).call('getRobot')).toMatchObject({ robot: { backend: 'simulation', state: 'asleep' } });
  });

  test('restart brings back a daemon that was killed', async () => {
    again.process.kill('SIGKILL');
    await again.ended;
    again = restart(dataDir);
    expect((await comesUp(again, dataDir)).url).toBe(first.url);
  });

  test('stop resumes and stops a suspended daemon', async () => {
    again.process.kill('SIGSTOP');
    const status = await runCli('status', '--data-dir', dataDir);
    expect(status).toMatchObject({ code: 1, text: expect.stringContaining('does not answer') });
    expect((await runCli('stop', '--data-dir', dataDir)).text).toContain('Stopped.');
    expect((await again.ended).code).toBe(0);
  });
});

/** The leader that is recorded for the app, once its child runs. The daemon records what tries a Python, too. */
function appLeader(dataDir: string): Promise<Leader> {
  return vi.waitFor(async () => {
    for (const leader of await readLeaders(dataPaths(dataDir).leadersFile)) {
      if ((await processesInGroup(leader.pid)).length === 2) return leader;
    }
    throw new Error('The app and its child are not recorded yet.');
  });
}

/** A program whose event loop blocks for ever at a signal. */
const BLOCKABLE =
  "data:text/javascript,process.on('SIGUSR2',()=>Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0))";

describe('with an app whose child clears its environment', { tags: ['smoke'] }, () => {
  afterAll(cleanUp);
  let dataDir: string;
  let second: DaemonProcess;
  let third: CliProcess;

  test('a killed daemon leaves the app and its child; the next one ends them', async () => {
    dataDir = await dataFolder();
    const first = await startDaemon(dataDir);
    await startApp(first.url, await appWithHiddenChild(), 'new_session');
    const file = dataPaths(dataDir).leadersFile;
    const leader = await appLeader(dataDir);
    await first.kill();
    expect(await processesInGroup(leader.pid)).not.toEqual([]);

    vi.stubEnv('NODE_OPTIONS', `--import="${BLOCKABLE}"`);
    second = await startDaemon(dataDir);
    vi.unstubAllEnvs();
    expect(await processesInGroup(leader.pid)).toEqual([]);
    // The new daemon may be trying a Python meanwhile.
    expect(await readLeaders(file)).not.toContainEqual(leader);
    await startInstalled(second.url, 'new_session');
  });

  test('restart ends a daemon whose loop is blocked, with its app, and apps can start at once', async () => {
    const leader = await appLeader(dataDir);
    second.process.kill('SIGUSR2');
    await vi.waitFor(async () => expect(await askDaemon(second.url)).toBeNull());

    third = restart(dataDir);
    expect(await second.exited).toBeNull();
    const { url } = await comesUp(third, dataDir);
    expect(url).toBe(second.url);
    expect(await processesInGroup(leader.pid)).toEqual([]);
    await startInstalled(url, 'new_session');
  });

  test('stop stops a daemon and its app', async () => {
    const leader = await appLeader(dataDir);
    const stopped = await runCli('stop', '--data-dir', dataDir);
    expect(stopped).toMatchObject({ code: 0, text: expect.stringContaining('Stopped.') });
    expect((await third.ended).code).toBe(0);
    expect(await processesInGroup(leader.pid)).toEqual([]);
  });
});

/** Hosts a daemon like the desktop program: in its own process, with its options after `--`. */
const windowProgram = `
  Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: 'stand-in' } });
  process.defaultApp = true;
  const { parseDaemonArguments } = await import('${projectDir}/daemon/cli/daemon-arguments.ts');
  const { createDaemon } = await import('${projectDir}/daemon/create-daemon.ts');
  const given = parseDaemonArguments(process.argv.slice(process.argv.indexOf('--') + 1), 'auto');
  const resources = { assetsDir: '${projectDir}/assets', dashboardDir: '${projectDir}/dist/renderer', llamaRunner: '', ggufReader: '' };
  const daemon = createDaemon({ ...given, version: '0.0.0', resources });
  process.on('SIGTERM', () => daemon.stop().then(() => process.exit(0)));
  await daemon.start();`;

describe('in a window', () => {
  afterAll(cleanUp);
  let dataDir: string;
  let program: string;

  test('restart closes and opens the window of a daemon, and says so', async () => {
    dataDir = await dataFolder();
    program = join(dataDir, 'window.mjs');
    await writeFile(program, windowProgram);
    const options = ['--sim', '--no-wake-up-on-start', '--port', '0', '--data-dir', dataDir];
    const first = execa(process.execPath, [program, '--', ...options], { stdio: 'ignore', reject: false });
    ends.push(async () => first.kill('SIGKILL'));
    const up = () => runningDaemon({ paths: dataPaths(dataDir) }, 100_000);
    const before = await up();
    expect(before?.status.pid).toBe(first.pid);

    const { code, text } = await runCli('restart', '--data-dir', dataDir);
    const after = await up();
    ends.push(async () => after && signalProcess(after.status.pid, 'SIGKILL'));
    expect(await first).toMatchObject({ exitCode: 0 });
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining(`open again, at ${before?.url}/`) });
    expect(text).toContain(`Stopping Robot Desktop and its window (process ${first.pid})`);
    expect(after?.url).toBe(before?.url);
    expect(after?.status.pid).not.toBe(first.pid);
    expect((await runCli('status', '--data-dir', dataDir)).text).toContain('in the window of Robot Desktop');
  });

  test('a window that cannot be opened again is reported', async () => {
    await rm(program);
    const { code, text } = await runCli('restart', '--data-dir', dataDir);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining('could not be opened again') });
  });
});
