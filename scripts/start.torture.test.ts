/** `npm start`: opens the window, or else the browser with one line that says why. */
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { signalGroup } from '../daemon/shared/processes/processes.ts';
import { leaderExit, startLeader } from '../daemon/shared/processes/start-leader.ts';
import { newDataDir } from '../daemon/testing/daemon/test-daemon.ts';
import { standInDir } from './environment/electron-for-tests.ts';
import { projectDir } from './environment/project.ts';

/** A fake browser, so that tests open nothing. */
const noBrowser = { BROWSER: 'true' };
const screen = { DISPLAY: '', CI: '', SSH_CONNECTION: '' };

/** A screen that accepts connections and shows nothing. */
beforeAll(async () => {
  const server = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  screen.DISPLAY = `127.0.0.1:${(server.address() as AddressInfo).port - 6_000}`;
  return () => void server.close();
});

/** Runs `npm start` until it prints `until`, then signals the whole process group, as a terminal does. */
async function start(until: string, env: NodeJS.ProcessEnv, { more = [], signal = 'SIGINT' }: Start = {}) {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const args = [join(projectDir, 'scripts', 'start.ts'), '--port', '0', '--data-dir', dataDir, ...more];
  const child = startLeader(process.execPath, args, { env: { ...process.env, ...noBrowser, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = leaderExit(child);
  let text = '';
  const printed = Promise.withResolvers<void>();
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes(until)) printed.resolve();
    });
  }
  await Promise.race([printed.promise, exited]);
  signalGroup(child.pid as number, signal);
  const [code] = await exited;
  return { code, text };
}

interface Start {
  readonly more?: readonly string[];
  readonly signal?: NodeJS.Signals;
}

const lines = (text: string) => text.split('\n').filter((line) => /window/.test(line));

test('without a screen it says so and prints the address', async () => {
  const { code, text } = await start('in a browser.', { DISPLAY: '', WAYLAND_DISPLAY: '' });
  expect(lines(text)).toEqual(['No window: there is no screen. Using the browser instead.']);
  expect(text).toMatch(/Open http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{43} in a browser\./);
  expect(code).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'a screen that does not answer is named, and the address is printed',
  async () => {
    const env = { ...screen, DISPLAY: ':4711', WAYLAND_DISPLAY: '', ELECTRON_DISABLE_SANDBOX: '1' };
    const { code, text } = await start('in a browser.', { ...env, ELECTRON_OVERRIDE_DIST_PATH: standInDir });
    expect(lines(text)).toEqual(['No window: the screen :4711 does not answer. Using the browser instead.']);
    expect(text).toMatch(/Open http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{43} in a browser\./);
    expect(code).toBe(0);
  },
);

test.skipIf(process.getuid?.() !== 0)('as root it says that Electron does not run as root', async () => {
  const { code, text } = await start(' is at http', { ...screen, ELECTRON_DISABLE_SANDBOX: '' });
  expect(lines(text)).toEqual(['No window: Electron does not run as root. Using the browser instead.']);
  expect(text).not.toMatch(/\n\s+at /);
  expect(code).toBe(0);
});

test('it says at once that Electron cannot be downloaded', async () => {
  const nowhere = { ELECTRON_MIRROR: 'http://127.0.0.1:9/', ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' };
  const { code, text } = await start(' is at http', { ...screen, ...nowhere, ELECTRON_DISABLE_SANDBOX: '1' });
  expect(lines(text)).toEqual([
    'No window: Electron cannot be downloaded, 127.0.0.1:9 does not answer. Using the browser instead.',
  ]);
  expect(text).not.toMatch(/\n\s+at /);
  expect(code).toBe(0);
});

test('a failed download is reported without a stack trace', async () => {
  const empty = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(empty, 'listening');
  onTestFinished(() => void empty.close());
  const mirror = `http://127.0.0.1:${(empty.address() as AddressInfo).port}/`;
  const env = {
    ...screen,
    ELECTRON_MIRROR: mirror,
    ELECTRON_OVERRIDE_DIST_PATH: '/nowhere',
    ELECTRON_DISABLE_SANDBOX: '1',
  };
  const cache = await newDataDir();
  onTestFinished(() => rm(cache, { recursive: true }));
  const { code, text } = await start(' is at http', { ...env, electron_config_cache: cache });
  expect(text).toContain('Downloading Electron, about 120 MB, once.');
  expect(lines(text)).toEqual(['No window: Electron could not be downloaded. Using the browser instead.']);
  expect(text).not.toMatch(/\n\s+at /);
  expect(code).toBe(0);
});

test('when Electron exits at once, the browser is used', async () => {
  const broken = { ELECTRON_OVERRIDE_DIST_PATH: join(import.meta.dirname, 'testing', 'broken-electron') };
  const { code, text } = await start(' is at http', { ...screen, ...broken, ELECTRON_DISABLE_SANDBOX: '1' });
  expect(text).toContain('No window: Electron exited at once (a library is missing). Using the browser');
  expect(code).toBe(0);
});

// Ctrl-C, the end of the session, a closed terminal.
test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'with a screen, a sandbox and Electron (here the stand-in) the window opens, and %s shuts everything down',
  async (signal) => {
    const standIn = { STANDIN_HEADLESS: '1', ELECTRON_DISABLE_SANDBOX: '1', ELECTRON_OVERRIDE_DIST_PATH: standInDir };
    const { code, text } = await start('Robot Desktop', { ...screen, ...standIn }, { signal });
    expect(text).toContain('robot: asleep');
    expect(text).toMatch(/Robot Desktop \d+\.\d+\.\d+ is at http/);
    expect(text).not.toContain('No window');
    expect(code).toBe(0);
  },
);

test('--browser and --no-window open no window', async () => {
  const standIn = { ...screen, ELECTRON_DISABLE_SANDBOX: '1', ELECTRON_OVERRIDE_DIST_PATH: standInDir };
  for (const option of ['--browser', '--no-window']) {
    const { code, text } = await start(' is at http', standIn, { more: [option] });
    expect(text).toMatch(/Robot daemon \d+\.\d+\.\d+ is at http/);
    expect(code).toBe(0);
  }
});

test('paths are relative to the folder of the user, although npm runs the script in the project', async () => {
  const folder = await newDataDir();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const npm = { npm_lifecycle_event: 'start', npm_package_json: join(projectDir, 'package.json'), INIT_CWD: folder };
  const { code } = await start(' is at http', npm, { more: ['--no-window', '--data-dir', './mine'] });
  expect(code).toBe(0);
  expect(await readdir(folder)).toContain('mine');
});

test('help and bad options open no window and download nothing', async () => {
  const far = { ...screen, ELECTRON_DISABLE_SANDBOX: '1', ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' };
  expect(await start('never', far, { more: ['--help'] })).toMatchObject({ code: 0 });
  const refused = await start('never', far, { more: ['--colour'] });
  expect(refused).toMatchObject({ code: 2, text: expect.stringContaining("Unknown option '--colour'") });
  expect(lines(refused.text)).toEqual([]);
});
