/** electron-updater itself, as the program uses it, against a server that lies or breaks off. */
import { createHash } from 'node:crypto';
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { programUpdater } from './program-updater.ts';
import { updateFailure } from './update-failure.ts';

afterEach(() => void vi.unstubAllEnvs());

// Required, not imported: an import would ask for all that it exports, and so for Electron.
const require = createRequire(import.meta.url);
const library = require('electron-updater') as typeof import('electron-updater');
const { ElectronHttpExecutor } = require('electron-updater/out/electronHttpExecutor.js');

const newer = Buffer.alloc(200_000, 'the newer version');
const sha512Of = (bytes: Buffer) => createHash('sha512').update(bytes).digest('base64');

interface Publisher {
  /** The checksum in the list of versions; null: none. Default: that of the newer version. */
  readonly sha512?: string | null;
  /** Sends the newer version; default: whole. */
  readonly send?: (response: ServerResponse) => void;
}

/** A program of version 1.0.0, and a publisher of version 1.1.0. */
async function program({ sha512 = sha512Of(newer), send = (response) => response.end(newer) }: Publisher = {}) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'electron-updater-'));
  onTestFinished(() => folder.remove());
  const server = createServer((asked, response) => {
    if (asked.url?.includes('.yml') !== true) {
      response.setHeader('content-length', newer.length);
      send(response);
    } else {
      const checksum = sha512 === null ? '' : `    sha512: ${sha512}\n`;
      response.end(`version: 1.1.0\nfiles:\n  - url: robot-1.1.0.AppImage\n    size: ${newer.length}\n${checksum}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const appImage = join(folder.path, 'robot-1.0.0.AppImage');
  vi.stubEnv('APPIMAGE', appImage);
  const appUpdateConfigPath = join(folder.path, 'app-update.yml');
  await writeFile(appUpdateConfigPath, `provider: generic\nurl: ${url}\nupdaterCacheDirName: robot\n`);
  await writeFile(appImage, 'the version that runs');
  const auto = new library.AppImageUpdater(null, {
    ...{ version: '1.0.0', name: 'robot', isPackaged: true, appUpdateConfigPath },
    ...{ userDataPath: folder.path, baseCachePath: join(folder.path, 'cache') },
    ...{ whenReady: async () => {}, relaunch: () => {}, quit: () => {}, onQuit: () => {} },
  });
  auto.disableDifferentialDownload = true;
  // Electron's network, which this process lacks.
  const httpExecutor = new ElectronHttpExecutor();
  httpExecutor.createRequest = (options: object, onResponse: () => void) =>
    request({ ...options, agent: false }, onResponse);
  Object.assign(auto, { httpExecutor });
  const newToken = () => new library.CancellationToken();
  const updater = programUpdater<ReturnType<typeof newToken>>(auto, newToken);
  /** Downloads the newer version. @returns why it failed; null: it is there */
  const download = async () => {
    await updater.look();
    try {
      await updater.download(() => {}, new AbortController().signal);
      return null;
    } catch (error) {
      return updateFailure(error, 'download').reason;
    }
  };
  /** The files that were downloaded. */
  const kept = async () => (await readdir(join(folder.path, 'cache', 'robot', 'pending'))).sort();
  return { updater, download, kept, current: () => readFile(appImage, 'utf8') };
}

test('a whole download is kept, and the program stays until it is installed', async () => {
  const { download, kept, current } = await program();
  expect(await download()).toBeNull();
  expect(await kept()).toEqual(['robot-1.1.0.AppImage', 'update-info.json']);
  expect(await current()).toBe('the version that runs');
});

test.each<[what: string, Publisher, reason: string]>([
  [
    'whose checksum does not match',
    { sha512: sha512Of(Buffer.from('another file')) },
    'What was downloaded is not the published file: its checksum differs. It was thrown away.',
  ],
  [
    'that is another file of the same length',
    { send: (response) => response.end(Buffer.alloc(newer.length, 'evil')) },
    'What was downloaded is not the published file: its checksum differs. It was thrown away.',
  ],
  [
    'that breaks off',
    { send: (response) => response.write(newer.subarray(0, 100_000), () => response.destroy()) },
    'The download was cut off.',
  ],
])('of an update %s nothing is kept, and the program stays', async (_what, publisher, reason) => {
  const { download, kept, current } = await program(publisher);
  expect(await download()).toBe(reason);
  expect(await kept()).toEqual([]);
  expect(await current()).toBe('the version that runs');
});

test('a copy that was unpacked from an archive learns of a newer version, too', async () => {
  const { updater } = await program();
  vi.stubEnv('APPIMAGE', undefined);
  expect(await updater.look()).toMatchObject({ version: '1.1.0' });
});

test('an update without a checksum is not downloaded', async () => {
  const { updater } = await program({ sha512: null });
  await expect(updater.look()).rejects.toMatchObject({ code: 'ERR_UPDATER_NO_CHECKSUM' });
});

test('a look tells the server no lasting number of this copy', async () => {
  const { updater } = await program();
  const asked: string[] = [];
  vi.spyOn(ElectronHttpExecutor.prototype, 'doApiRequest').mockImplementation((options) => {
    asked.push(JSON.stringify(options));
    throw new Error('net::ERR_FAILED');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(updater.look()).rejects.toThrow('net::ERR_FAILED');
  expect(asked).toEqual([expect.stringContaining('"x-user-staging-id":"none"')]);
});
