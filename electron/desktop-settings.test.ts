import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DesktopStatus } from '../daemon/contract/desktop.ts';
import { manualClock } from '../daemon/testing/manual-clock.ts';
import { DesktopSettings } from './desktop-settings.ts';
import { LoginItemRefused } from './login/login-item.ts';
import { FakeLoginItem } from './testing/fake-login-item.ts';
import { Updates } from './updates/updates.ts';

const first: DesktopStatus = {
  closing: 'ask',
  noTray: null,
  opensAtLogin: false,
  opensHidden: false,
  looksForUpdates: true,
  update: { state: 'off', reason: 'This build was made without an address to look for updates.' },
};

/** Settings in a folder of their own. @param text the file as it was left */
async function someSettings(text?: string, platform: NodeJS.Platform = 'linux') {
  const folder = await mkdtemp(join(tmpdir(), 'desktop-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'settings.json');
  if (text !== undefined) await writeFile(file, text);
  const logged: string[] = [];
  const loginItem = new FakeLoginItem();
  const newSettings = async () => {
    const updates = new Updates({
      way: async () => ({ by: 'off', reason: 'This build was made without an address to look for updates.' }),
      updater: () => Promise.reject(new Error('It is not loaded.')),
      replaceProgram: () => {},
      clock: manualClock(),
    });
    const log = { error: (message: string) => void logged.push(message) };
    const settings = new DesktopSettings({ file, platform, loginItem, updates, log });
    await settings.load();
    return settings;
  };
  return { settings: await newSettings(), newSettings, file, folder, loginItem, logged };
}

test('before anything is chosen, closing asks, nothing opens at login, and updates are looked for', async () => {
  const { settings, folder } = await someSettings();
  expect(settings.status).toEqual(first);
  expect(await readdir(folder), 'nothing is written').toEqual([]);
});

test('a change is kept for the next start, and leaves the other settings', async () => {
  const { settings, newSettings, file } = await someSettings();
  expect(await settings.change({ closing: 'keep-running' })).toEqual({ ...first, closing: 'keep-running' });
  await settings.change({ opensHidden: true, looksForUpdates: undefined });
  expect((await newSettings()).status).toEqual({ ...first, closing: 'keep-running', opensHidden: true });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    closing: 'keep-running',
    opensHidden: true,
    looksForUpdates: true,
  });
});

test('changes at the same time are all kept', async () => {
  const { settings, newSettings } = await someSettings();
  await Promise.all([settings.change({ closing: 'quit' }), settings.change({ opensHidden: true })]);
  expect((await newSettings()).status).toEqual({ ...first, closing: 'quit', opensHidden: true });
});

test('each change is told, and one that changes nothing is not', async () => {
  const { settings } = await someSettings();
  let told = 0;
  settings.onChange(() => {
    told += 1;
  });
  await settings.change({ closing: 'quit' });
  await settings.change({ closing: 'quit' });
  expect(told).toBe(1);
  settings.setNoTray('There is no tray.');
  settings.setNoTray('There is no tray.');
  expect(told).toBe(2);
  expect(settings.status.noTray).toBe('There is no tray.');
});

test('the system keeps whether it opens at login; a system that refuses is told, and nothing has changed', async () => {
  const { settings, newSettings, loginItem, folder } = await someSettings();
  expect((await settings.change({ opensAtLogin: true })).opensAtLogin).toBe(true);
  expect(await readdir(folder)).toEqual([]);
  expect((await newSettings()).status.opensAtLogin).toBe(true);
  loginItem.refuses = true;
  await expect(settings.change({ opensAtLogin: false, closing: 'quit' })).rejects.toThrow(LoginItemRefused);
  expect(settings.status).toEqual({ ...first, opensAtLogin: true });
});

test.each(['', '{', '{"closing":"explode"}', '[]'])('the damaged file %j is set aside', async (text) => {
  const { settings, folder, logged } = await someSettings(text);
  expect(settings.status).toEqual(first);
  expect(logged).toHaveLength(1);
  await settings.change({ closing: 'quit' });
  expect(await readdir(folder)).toHaveLength(2);
});

test('a file of an earlier version, with fewer settings, is read', async () => {
  const { settings } = await someSettings('{"closing":"quit"}');
  expect(settings.status).toEqual({ ...first, closing: 'quit' });
});

test('on macOS closing is not chosen: a program stays open without a window there', async () => {
  const { settings } = await someSettings(undefined, 'darwin');
  expect(settings.status.closing).toBeNull();
});
