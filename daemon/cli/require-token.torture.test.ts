/** The commands, an app and a program of the user's own, on a daemon that requires a token of them. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { daemonAt } from '../client/node/daemon-at.ts';
import { startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runAssistant, runCli, startCli } from '../testing/daemon/run-cli.ts';
import { newDataDir, projectDir, sampleApp } from '../testing/daemon/test-daemon.ts';

async function daemonWith(...options: string[]) {
  const dataDir = await newDataDir();
  const daemon = await startDaemonProcess(dataDir, options);
  onTestFinished(async () => {
    await daemon.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  const run = (...args: string[]) => runCli(...args, '--data-dir', dataDir);
  const statusOf = async (path: string, headers = {}) =>
    (await fetch(daemon.url + path, { headers, redirect: 'manual' })).status;
  return { dataDir, daemon, run, statusOf };
}

/** Runs a program of the user's own that connects to the robot. @returns what it says */
async function ownProgram(url: string, variables: Record<string, string>): Promise<string> {
  const source = 'from robot import Robot\nwith Robot() as robot:\n    print("connected")';
  const env = {
    PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
    PYTHONDONTWRITEBYTECODE: '1',
    ROBOT_DAEMON_URL: url,
  };
  return (await execa('python3', ['-c', source], { env: { ...env, ...variables }, all: true, reject: false })).all;
}

test.each([['--require-token'], ['--behind-proxy', '127.0.0.1']])(
  'the commands and a sample app work on a daemon with %s',
  async (...options) => {
    const { dataDir, daemon, run, statusOf } = await daemonWith(...options);
    const token = await readFile(join(dataDir, 'access-token'), 'utf8');
    expect(await statusOf('/api/apps/list')).toBe(401);
    expect(await run('status')).toMatchObject({ code: 0, text: expect.stringContaining(`is at ${daemon.url}/`) });

    expect(await run('app', 'install', sampleApp('hello_wave'))).toMatchObject({ code: 0 });
    expect(await run('app', 'start', 'hello_wave')).toMatchObject({ code: 0 });
    const client = daemonAt(daemon.url, { token });
    const saidHello = async () => expect(await client.call('getAppSlot')).toMatchObject({ sdk: 'connected' });
    await vi.waitFor(saidHello, { interval: 100 });
    expect((await run('app', 'ls')).text).toContain('hello_wave');

    const { out } = await run('sign-in');
    const signIn = await fetch(out.trim(), { redirect: 'manual' });
    expect(signIn.status).toBe(303);
    const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(await statusOf('/', { cookie })).toBe(200);

    expect(await ownProgram(daemon.url, {})).toMatch(/refuses this program\..*ROBOT_DAEMON_TOKEN/);
    expect(await ownProgram(daemon.url, { ROBOT_DAEMON_TOKEN: token })).toBe('connected');

    expect(await run('stop')).toMatchObject({ code: 0, text: expect.stringContaining('Stopped.') });
    expect(await daemon.exited).toBe(0);
  },
);

test('a restart keeps the option, the token and the sign-in of a browser; the doctor and the assistant send the token', async () => {
  const { dataDir, daemon, run } = await daemonWith('--require-token');
  const signIn = await fetch((await run('sign-in')).out.trim(), { redirect: 'manual' });
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { daemon: found, findings } = JSON.parse((await run('doctor', '--json')).out);
  expect(found).toMatchObject({ pid: daemon.process.pid, version: expect.any(String) });
  expect(findings.filter(({ code }: { code: string }) => code === 'daemon-silent')).toEqual([]);
  expect(await runAssistant(['create', 'my_app', dataDir], { env: { ROBOT_DATA_DIR: dataDir } })).toMatchObject({
    code: 0,
  });
  const client = daemonAt(daemon.url, { token: await readFile(join(dataDir, 'access-token'), 'utf8') });
  expect(await client.call('listOwnApps')).toMatchObject({ apps: [{ folder: join(dataDir, 'my_app') }] });

  const again = startCli('restart', '--data-dir', dataDir);
  onTestFinished(async () => {
    again.process.kill('SIGKILL');
    await again.ended;
  });
  expect(await daemon.exited).toBe(0);
  await vi.waitFor(async () => expect((await fetch(daemon.url)).status).toBe(401), { interval: 100 });
  expect((await fetch(daemon.url, { headers: { cookie } })).status).toBe(200);
  expect(await run('stop')).toMatchObject({ code: 0 });
  expect((await again.ended).code).toBe(0);
});
