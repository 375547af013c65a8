import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  electronDownloadProblem,
  electronProgram,
  installedElectron,
  kernelSetting,
  reasonForNoSandbox,
} from './electron-program.ts';

/** Windows has no such numbers. */
const asUser = (uid: number) => process.getuid && vi.spyOn(process, 'getuid').mockReturnValue(uid);

beforeEach(() => void asUser(1_000));
afterEach(() => void vi.restoreAllMocks());

const isLinux = process.platform === 'linux';
const NO_SANDBOX = 'this system does not let Electron create its sandbox';
/** A program of root that runs as root, as Chromium's helper must be. */
const ready = { uid: 0, mode: 0o104_755 };

/** A system with settings of its kernel, and the helper of Chromium's sandbox; null: it has none. */
function reasonOn(
  settings: Readonly<Record<string, string>>,
  helper: typeof ready | null,
  env: NodeJS.ProcessEnv = {},
) {
  return reasonForNoSandbox(env, {
    setting: (name) => settings[name] ?? '',
    existsSync: (path) => path.endsWith(join('electron', 'dist', 'chrome-sandbox')) && helper !== null,
    statSync: () => {
      if (!helper) throw new Error('There is no such file');
      return helper;
    },
  });
}

const apparmor = (value: string) => ({ 'kernel/apparmor_restrict_unprivileged_userns': value });
const clone = (value: string) => ({ 'kernel/unprivileged_userns_clone': value });

test.runIf(isLinux)('a system that restricts no namespaces of users lets Electron create its sandbox', () => {
  for (const settings of [{}, apparmor('0'), clone('1'), { ...apparmor('0'), ...clone('1') }]) {
    expect(reasonOn(settings, null), JSON.stringify(settings)).toBeNull();
  }
});

test
  .runIf(isLinux)
  .each([apparmor('1'), clone('0'), { ...apparmor('1'), ...clone('1') }, { ...apparmor('0'), ...clone('0') }])(
  'a system with %o needs the helper, which must be a program of root that runs as root',
  (settings) => {
    expect(reasonOn(settings, null)).toBe(NO_SANDBOX);
    expect(reasonOn(settings, ready)).toBeNull();
    expect(reasonOn(settings, { ...ready, uid: 1_000 })).toBe(NO_SANDBOX);
    expect(reasonOn(settings, { ...ready, mode: 0o100_755 })).toBe(NO_SANDBOX);
  },
);

test.runIf(isLinux)('root opens no window, wherever the sandbox could be created', () => {
  asUser(0);
  expect(reasonOn({}, ready)).toBe('Electron does not run as root');
});

test('who has switched off the sandbox is asked no more', () => {
  asUser(0);
  expect(reasonOn(apparmor('1'), null, { ELECTRON_DISABLE_SANDBOX: '1' })).toBeNull();
});

test.runIf(isLinux)('the settings are those of this kernel, and empty where it has none of a name', () => {
  expect([kernelSetting('kernel/ostype'), kernelSetting('kernel/no_such_setting')]).toEqual(['Linux', '']);
  expect([null, NO_SANDBOX]).toContain(reasonForNoSandbox({}));
});

/** A folder with files. */
async function folderWith(...files: readonly [name: string, content: string][]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'electron-program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of files) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

test('Electron is installed once its download has written where its program is', async () => {
  const whole = await folderWith(['path.txt', 'bin/electron'], ['dist/bin/electron', '']);
  expect(installedElectron({}, whole)).toEqual({ path: join(whole, 'dist', 'bin', 'electron') });
  const underWay = await folderWith(['dist/electron', '']);
  expect(installedElectron({}, underWay)).toBeNull();
  const lost = await folderWith(['path.txt', 'electron']);
  expect(installedElectron({}, lost)).toBeNull();
  expect(installedElectron({}, join(lost, 'missing'))).toBeNull();
});

test('the Electron of ELECTRON_OVERRIDE_DIST_PATH comes first, also where none was downloaded', async () => {
  const downloaded = await folderWith(['path.txt', 'other'], ['dist/other', '']);
  const given = await folderWith(['electron', ''], ['other', '']);
  const env = { ELECTRON_OVERRIDE_DIST_PATH: given };
  expect(installedElectron(env, join(given, 'missing'))).toEqual({ path: join(given, 'electron') });
  expect(installedElectron(env, downloaded)).toEqual({ path: join(given, 'other') });
  const empty = { ELECTRON_OVERRIDE_DIST_PATH: await folderWith() };
  expect([installedElectron(empty, downloaded), installedElectron(empty, given)]).toEqual([null, null]);
});

/** A server of downloads. @returns its address, and the requests that it got */
async function mirror(status: number) {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(status, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/electron/`;
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  onTestFinished(close);
  return { url, asked, close };
}

test.each(['ELECTRON_MIRROR', 'npm_config_electron_mirror'])(
  'the server of %s is asked within two seconds, and may answer anything',
  async (name) => {
    const limit = vi.spyOn(AbortSignal, 'timeout');
    for (const status of [200, 404]) {
      const { url, asked } = await mirror(status);
      expect(await electronDownloadProblem({ [name]: url })).toBeNull();
      expect(asked).toEqual(['HEAD /electron/']);
    }
    expect(limit).toHaveBeenCalledWith(2_000);
  },
);

test('ELECTRON_MIRROR comes before the setting of npm', async () => {
  const [first, second] = [await mirror(200), await mirror(200)];
  await electronDownloadProblem({ ELECTRON_MIRROR: first.url, npm_config_electron_mirror: second.url });
  expect([first.asked, second.asked]).toEqual([['HEAD /electron/'], []]);
});

test('a server that does not answer is named by its host, an address that is none by itself', async () => {
  const { url, close } = await mirror(200);
  await close();
  const { host } = new URL(url);
  const sentence = (from: string) => `Electron cannot be downloaded, ${from} does not answer`;
  expect(await electronDownloadProblem({ ELECTRON_MIRROR: url })).toBe(sentence(host));
  expect(await electronDownloadProblem({ ELECTRON_MIRROR: 'no address' })).toBe(sentence('no address'));
});

test('the server is that of GitHub unless another one is set', async () => {
  const ask = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
  expect(await electronDownloadProblem({})).toBe('Electron cannot be downloaded, github.com does not answer');
  expect(ask.mock.calls[0]?.[0]).toBe('https://github.com/');
});

/** The variables of a user with a screen that answers, and without a sandbox to check. */
async function withScreen(): Promise<NodeJS.ProcessEnv> {
  const screen = createServer((_, response) => response.end());
  const path = join(await folderWith(), 'wayland');
  screen.listen(path);
  await once(screen, 'listening');
  onTestFinished(() => void screen.close());
  return { WAYLAND_DISPLAY: path, ELECTRON_DISABLE_SANDBOX: '1' };
}

test.runIf(isLinux)('the program is that of the installed Electron', async () => {
  const given = await folderWith(['electron', ''], ['Electron.app/Contents/MacOS/Electron', '']);
  const env = { ...(await withScreen()), ELECTRON_OVERRIDE_DIST_PATH: given };
  expect(await electronProgram(env)).toEqual({ path: join(given, 'electron') });
});

test.runIf(isLinux)('without a screen, or a sandbox, Electron is neither looked for nor downloaded', async () => {
  const given = await folderWith(['electron', '']);
  const ask = vi.spyOn(globalThis, 'fetch');
  const env = { ELECTRON_OVERRIDE_DIST_PATH: given };
  expect(await electronProgram(env)).toEqual({ missing: 'there is no screen' });
  asUser(0);
  const asRoot = { ...(await withScreen()), ...env, ELECTRON_DISABLE_SANDBOX: '' };
  expect(await electronProgram(asRoot)).toEqual({ missing: 'Electron does not run as root' });
  expect(ask).not.toHaveBeenCalled();
});

test.runIf(isLinux)(
  'an Electron that is missing and cannot be downloaded leaves the reason, and nothing is printed',
  async () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => {});
    const { url, close } = await mirror(200);
    await close();
    const env = { ...(await withScreen()), ELECTRON_OVERRIDE_DIST_PATH: await folderWith(), ELECTRON_MIRROR: url };
    expect(await electronProgram(env)).toEqual({
      missing: `Electron cannot be downloaded, ${new URL(url).host} does not answer`,
    });
    expect(said).not.toHaveBeenCalled();
  },
);
