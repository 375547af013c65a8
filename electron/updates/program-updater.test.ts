import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { type AutoUpdater, type DownloadProgress, programUpdater } from './program-updater.ts';

class FakeAutoUpdater extends EventEmitter implements AutoUpdater {
  autoDownload = true;
  autoInstallOnAppQuit = true;
  forceDevUpdateConfig = false;
  logger: object | null = console;
  requestHeaders: object | null = null;
  result: Awaited<ReturnType<AutoUpdater['checkForUpdates']>> = null;
  readonly installs: unknown[] = [];
  readonly downloaded = Promise.withResolvers<readonly string[]>();
  checkForUpdates = async () => this.result;
  downloadUpdate = () => this.downloaded.promise;
  quitAndInstall = (...how: unknown[]) => void this.installs.push(how);
}

function some(checkPlace?: (file: string) => Promise<void>) {
  const auto = new FakeAutoUpdater();
  const token = { cancel: vi.fn<() => void>() };
  return { auto, token, updater: programUpdater(auto, () => token, checkPlace) };
}
const progress = (transferred: number): DownloadProgress => ({ transferred, total: 10, bytesPerSecond: 1 });

test('nothing is downloaded or installed unasked, nor logged', () => {
  const { auto } = some();
  expect([auto.autoDownload, auto.autoInstallOnAppQuit, auto.logger]).toEqual([false, false, null]);
});

test('a look tells the server no number of this copy', () => {
  expect(some().auto.requestHeaders).toEqual({ 'x-user-staging-id': 'none' });
});

test('a newer version without a SHA-512 for each of its files is none', async () => {
  const { auto, updater } = some();
  for (const files of [
    [{ url: 'a' }],
    [
      { url: 'a', sha512: 'AA==' },
      { url: 'b', sha512: '' },
    ],
  ]) {
    auto.result = { isUpdateAvailable: true, updateInfo: { version: '1.2.0', files } };
    await expect(updater.look()).rejects.toMatchObject({ code: 'ERR_UPDATER_NO_CHECKSUM' });
  }
});

test('a look tells a newer version, and none where this is the newest or nothing is known', async () => {
  const { auto, updater } = some();
  const updateInfo = { version: '1.2.0', files: [] };
  expect(await updater.look()).toBeNull();
  auto.result = { isUpdateAvailable: false, updateInfo };
  expect(await updater.look()).toBeNull();
  auto.result = { isUpdateAvailable: true, updateInfo };
  expect(await updater.look()).toBe(updateInfo);
});

test('a download tells its progress until it ends', async () => {
  const { auto, token, updater } = some();
  const told: number[] = [];
  const signal = new AbortController();
  const downloading = updater.download(({ transferred }) => told.push(transferred), signal.signal);
  auto.emit('download-progress', progress(1));
  auto.downloaded.resolve([]);
  await downloading;
  auto.emit('download-progress', progress(2));
  signal.abort();
  expect(told).toEqual([1]);
  expect(token.cancel).not.toHaveBeenCalled();
});

test('a download is cancelled, and one that is cancelled before it begins does not', async () => {
  const { auto, token, updater } = some();
  const controller = new AbortController();
  const downloading = updater.download(() => {}, controller.signal);
  controller.abort();
  expect(token.cancel).toHaveBeenCalledOnce();
  auto.downloaded.reject(new Error('cancelled'));
  await expect(downloading).rejects.toThrow('cancelled');
  await expect(updater.download(() => {}, controller.signal)).rejects.toThrow();
  expect(token.cancel).toHaveBeenCalledOnce();
});

test('an install is silent and starts the newer version; a failure of it rejects', async () => {
  const { auto, updater } = some();
  const installing = updater.install();
  expect(auto.installs).toEqual([[true, true]]);
  auto.emit('error', new Error('EACCES'));
  await expect(installing).rejects.toThrow('EACCES');
});

test('an install whose place is refused leaves the program as it is', async () => {
  const checked: string[] = [];
  const { auto, updater } = some(async (file) => {
    checked.push(file);
    throw new Error('ENOSPC');
  });
  auto.downloaded.resolve(['/cache/newer']);
  await updater.download(() => {}, new AbortController().signal);
  await expect(updater.install()).rejects.toThrow('ENOSPC');
  expect([checked, auto.installs]).toEqual([['/cache/newer'], []]);
});

test('errors of other steps, which their promises tell, end nothing', () => {
  const { auto } = some();
  auto.emit('error', new Error('net::ERR_FAILED'));
  expect(auto.installs).toEqual([]);
});
