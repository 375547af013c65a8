/** The command: its replies to bad arguments, and its exit codes. */
import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { daemonAt } from '../client/node/daemon-at.ts';
import { install } from '../client/node/install.ts';
import { DataFolderInUse, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runAssistant, runCli, startCli } from '../testing/daemon/run-cli.ts';
import { fixtureApp, NO_HUB, newDataDir, projectDir } from '../testing/daemon/test-daemon.ts';
import { runningDaemon } from './shared/holder.ts';

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

test('bad arguments are refused with a sentence and code 2', async () => {
  const { code, text } = await run('--sim', '--colour');
  expect(text).toContain("robot-daemon: Unknown option '--colour'");
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
  expect(await run('help')).toEqual({ code: 0, text });
});

test('--version prints the version alone, of both commands', async () => {
  const { version } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8'));
  for (const printed of [await runCli('--version'), await runAssistant(['--version'])])
    expect(printed).toMatchObject({ code: 0, text: `${version}\n` });
});

test('a daemon goes on when nobody reads its output any more, such as after "| head -1"', async () => {
  const folder = await dataFolder();
  const { process: daemon, ended } = startCli('--sim', '--hub', NO_HUB, '--port', '0', '--data-dir', folder);
  daemon.stdout.destroy();
  daemon.stderr.destroy();
  await vi.waitFor(async () => expect((await runCli('status', '--data-dir', folder)).code).toBe(0), 30_000);
  expect((await runCli('stop', '--data-dir', folder)).code).toBe(0);
  expect((await ended).code).toBe(0);
});

test('a port in use and a foreign address are reported without a stack', async () => {
  const other = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
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

describe('beside a daemon that listens for other machines too', () => {
  let folder: string;
  let first: DaemonProcess;
  beforeAll(async () => {
    folder = await newDataDir();
    first = await startDaemonProcess(folder, ['--host', '0.0.0.0']);
  });
  afterAll(async () => {
    await first?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test("a port that it uses is reported as another robot daemon's, with its process and data folder", async () => {
    const { port } = new URL(first.url);
    const { code, text } = await run('--sim', '--data-dir', await dataFolder(), '--port', port);
    expect(code).toBe(1);
    expect(text).toMatch(`by another robot daemon (process ${first.process.pid}, data folder /`);
  });

  test('its address is found from its data folder', async () => {
    const refusal = await lockDataFolder(dataPaths(folder)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataFolderInUse);
    expect(await runningDaemon(refusal as DataFolderInUse)).toMatchObject({
      url: first.url,
      status: { pid: first.process.pid, name: 'robot-daemon' },
    });
  });

  test('a second daemon on its data folder is refused with the process that uses it', async () => {
    const second = await run('--sim', '--port', '0', '--data-dir', folder);
    expect(second.code).toBe(1);
    expect(second.text).toContain(`process ${first.process.pid}, at ${first.url}`);
  });

  test('it still serves this machine, and does not reveal its token', async () => {
    const outer = Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    const local = await fetch(`${first.url}/api/apps/list`);
    expect(local.status).toBe(200);
    if (!outer) {
      console.warn('SKIPPED: a request under an outer address, because this machine has no address but loopback');
    } else {
      const there = first.url.replace('127.0.0.1', outer.address);
      expect((await fetch(`${there}/api/apps/list`)).status).toBe(200);
    }
    expect((await stat(join(folder, 'access-token'))).mode & 0o777).toBe(0o600);
  });
});

test('an unusable data folder is reported without a stack', async () => {
  const { code, text } = await run('--sim', '--port', '0', '--data-dir', '/dev/null/data');
  expect(code).toBe(1);
  expect(text).toContain('The data folder /dev/null/data cannot be used (ENOTDIR).');
});

test('SIGINT and SIGTERM stop the app, park the robot and end with code 0', async () => {
  const folder = await dataFolder();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const daemon = await startDaemonProcess(folder);
    const client = daemonAt(daemon.url);
    if (signal === 'SIGINT') await install(client, fixtureApp('forks'));
    await client.call('startApp', { params: { appName: 'forks' } });
    await vi.waitFor(async () => expect((await daemon.children()).length).toBeGreaterThanOrEqual(3));
    daemon.process.kill(signal);
    expect(await daemon.exited, signal).toBe(0);
    expect(await daemon.children(), signal).toEqual([]);
  }
});
