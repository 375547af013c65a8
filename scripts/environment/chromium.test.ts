import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareChromium, prepareHeadlessChromium } from './chromium.ts';

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A folder with empty programs, alone on PATH. */
async function folderOnPath(...names: string[]) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-browsers-'));
  for (const name of names) {
    await writeFile(join(folder.path, name), '');
    await chmod(join(folder.path, name), 0o755);
  }
  vi.stubEnv('PATH', folder.path);
  vi.stubEnv('CHROMIUM_PATH', undefined);
  return folder;
}

test('pages without a window run in the headless shell, windows in Chromium', async () => {
  await using folder = await folderOnPath('chromium', 'chromium-headless-shell');
  expect(await prepareHeadlessChromium()).toBe(join(folder.path, 'chromium-headless-shell'));
  expect(await prepareChromium()).toBe(join(folder.path, 'chromium'));
});

test('pages without a window run in Chromium where there is no headless shell', async () => {
  await using folder = await folderOnPath('chromium');
  expect(await prepareHeadlessChromium()).toBe(join(folder.path, 'chromium'));
});

test('CHROMIUM_PATH comes first', async () => {
  await using _folder = await folderOnPath('chromium', 'chromium-headless-shell');
  vi.stubEnv('CHROMIUM_PATH', '/opt/browser');
  expect([await prepareHeadlessChromium(), await prepareChromium()]).toEqual(['/opt/browser', '/opt/browser']);
});
