/** The command: its replies to bad arguments, and its exit codes. */
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { daemonAt } from '../client/node/daemon-at.ts';
import { install } from '../client/node/install.ts';
import { DataFolderInUse, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { fixtureApp, newDataDir } from '../testing/daemon/test-daemon.ts';
import { runningDaemon } from './running-daemon.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));
async function dataFolder(): Promise<string> {
  const folder = await newDataDir();
  folders.push(folder);
  return folder;
}
async function run(...args: string[]) {
  const { code, text } = await runCli(...args);
  return { code, text };
}

test.each([
  [['--sim', '--emulator'], '--sim and --emulator exclude each other.'],
  [['--sim', '--serial-port', '/dev/ttyACM0'], '--serial-port is for a real robot, not for --sim.'],
  [['--sim', '--port', '70000'], '--port must be a number from 0 to 65535, not "70000".'],
  [['--sim', '--port=-1'], '--port must be a number from 0 to 65535, not "-1".'],
  [['--sim', '--log-level', 'loud'], '--log-level must be one of debug, info, warn, error, not "loud".'],
  [['--sim', '--installer', 'conda'], '--installer must be one of auto, uv, pip, not "conda".'],
  [['--sim', '--colour'], "Unknown option '--colour'"],
  [['--sim', 'extra'], "Unexpected argument 'extra'"],
  [['--sim', '--host', ''], '--host needs an address'],
])('%j is refused with a sentence and code 2', async (args, sentence) => {
  const { code, text } = await run(...args);
  expect(text).toContain(`robot-daemon: ${sentence}`);
  expect(text).not.toMatch(/\n\s+at /);
  expect(code).toBe(2);
});

test('--help shows every option', async () => {
  const { code, text } = await run('--help');
  expect(code).toBe(0);
  for (const option of [
    '--sim',
    '--emulator',
    '--auto',
    '--serial-port',
    '--startup-app',
    '--port',
    '--host',
    '--data-dir',
    '--python',
    '--log-level',
  ])
    expect(text).toContain(option);
});

test('a port in use and a foreign address are reported without a stack', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const busy = await run('--sim', '--data-dir', await dataFolder(), '--port', String(port));
  const who = process.platform === 'linux' ? ` by node (process ${process.pid})` : '';
  expect(busy).toEqual({ code: 1, text: expect.stringContaining(`Port ${port} is in use${who}`) });
  expect(busy.text).not.toMatch(/\n\s+at /);
  other.close();
  const foreign = await run('--sim', '--data-dir', await dataFolder(), '--port', '0', '--host', '192.0.2.1');
  expect(foreign).toEqual({ code: 1, text: expect.stringContaining('192.0.2.1 is not an address of this machine') });
});

test('a port of another robot daemon is reported with its process and data folder', async () => {
  const first = await startDaemonProcess(await dataFolder());
  const { port } = new URL(first.url);
  const { code, text } = await run('--sim', '--data-dir', await dataFolder(), '--port', port);
  expect(code).toBe(1);
  expect(text).toMatch(`by another robot daemon (process ${first.process.pid}, data folder /`);
  await first.kill();
});

test('the daemon on a locked data folder can be found', async () => {
  const folder = await dataFolder();
  const first = await startDaemonProcess(folder);
  const refusal = await lockDataFolder(dataPaths(folder)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataFolderInUse);
  expect(await runningDaemon(refusal as DataFolderInUse)).toMatchObject({
    url: first.url,
    status: { pid: first.process.pid, name: 'robot-daemon' },
  });
});

test('an unusable data folder is reported without a stack', async () => {
  const { code, text } = await run('--sim', '--port', '0', '--data-dir', '/dev/null/data');
  expect(code).toBe(1);
  expect(text).toContain('The data folder /dev/null/data cannot be used (ENOTDIR).');
});

test('a second daemon on the data folder is refused, with the process that holds it', async () => {
  const folder = await dataFolder();
  const first = await startDaemonProcess(folder);
  const second = await run('--sim', '--port', '0', '--data-dir', folder);
  expect(second.code).toBe(1);
  expect(second.text).toContain(`process ${first.process.pid}, at ${first.url}`);
  await first.kill();
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops the app, folds the robot and exits with code 0', async (signal) => {
  const daemon = await startDaemonProcess(await dataFolder());
  const client = daemonAt(daemon.url);
  await install(client, fixtureApp('forks'), { withinMs: 20_000 });
  await client.call('startApp', { params: { appName: 'forks' } });
  await vi.waitFor(async () => expect((await daemon.children()).length).toBeGreaterThanOrEqual(3), 10_000);
  daemon.process.kill(signal);
  expect(await daemon.exited).toBe(0);
  expect(await daemon.children()).toEqual([]);
});

test('a daemon that listens for other machines still serves this one, and does not print its token', async () => {
  const outer = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  const folder = await dataFolder();
  const daemon = await startDaemonProcess(folder, ['--host', '0.0.0.0']);
  const local = await fetch(`${daemon.url}/api/apps/list`);
  expect(local.status).toBe(200);
  if (!outer) {
    console.warn('SKIPPED: a request under an outer address, because this machine has no address but loopback');
  } else {
    const there = daemon.url.replace('127.0.0.1', outer.address);
    expect((await fetch(`${there}/api/apps/list`)).status).toBe(200);
  }
});
