/** The settings page of an app that tries everything that leads out of its window. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { JSHandle, Page } from '@playwright/test';
import { test as base, type Desktop, expect } from './desktop.ts';
import { collectOutside, outside } from './outside.ts';

/** The actions that page.html offers. */
interface HostilePage {
  readonly ways: Record<string, (to: string) => void>;
  readonly saves: Record<string, () => void>;
  readonly asks: Record<string, () => Promise<unknown>>;
  readonly blobAddress: () => string;
}
declare const hostile: HostilePage;

/** For a way that leads nowhere, time in which it would have led somewhere. */
const ATTEMPT_MS = 60;

interface Fixtures {
  /** The page, in its window. */
  readonly settings: Page;
  /** The documents that another site was asked for. */
  readonly elsewhere: { readonly url: string; readonly asked: string[] };
}

/** Where an app that is no longer installed has saved something. */
const ofRemovedApp = (dataDir: string) => join(dataDir, 'window', 'Partitions', 'app-removed');

const test = base.extend<Fixtures>({
  dataDir: async ({ dataDir }, use) => {
    await mkdir(ofRemovedApp(dataDir), { recursive: true });
    await use(dataDir);
  },
  settings: async ({ desktop, hostilePage }, use) => {
    expect(await desktop.install(hostilePage.folder)).toMatchObject({ state: 'done' });
    await desktop.call('startApp', { params: { appName: 'hostile_page' } });
    await desktop.page.getByRole('navigation').getByRole('link', { name: 'Apps' }).click();
    const link = desktop.page.getByRole('link', { name: 'Settings of Hostile page' });
    const [settings] = await Promise.all([desktop.app.waitForEvent('window'), link.click()]);
    await expect(settings.getByRole('heading', { name: 'Enter the password' })).toBeVisible();
    await use(settings);
    await desktop.call('stopCurrentApp');
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  elsewhere: async ({}, use) => {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.end('<h1>Elsewhere</h1>');
    });
    await use({ url: await listen(server), asked });
    server.close();
  },
});

test('it stays in its window, at its site, and opens nothing, whichever way it tries', async ({
  desktop,
  settings,
  hostilePage,
  elsewhere,
}) => {
  await collectOutside(desktop);
  const site = `http://localhost:${hostilePage.port}`;
  const addresses = [
    elsewhere.url,
    `${elsewhere.url.replace('http://', 'http://someone@')}`,
    `${desktop.url}/`,
    'https://evil.test/',
    'https://www.python.org/',
    'file:///etc/passwd',
    'mailto:someone@evil.test',
    'vscode://file/etc/passwd',
    'data:text/html,<h1>Robot Desktop</h1>',
    'view-source:http://localhost/',
    'chrome://version',
    'blob:',
  ];
  const ways = await settings.evaluate(() => Object.keys(hostile.ways));
  expect(ways.length).toBeGreaterThan(20);
  const escapes: string[] = [];
  for (const address of addresses) {
    for (const way of ways) {
      const attempt = [way, address] as const;
      await settings
        .evaluate(([how, to]) => hostile.ways[how]?.(to === 'blob:' ? hostile.blobAddress() : to), attempt)
        .catch((error: Error) => escapes.push(`${attempt.join(' to ')}: ${error.message}`));
      await settings.waitForTimeout(ATTEMPT_MS);
      const heading = await settings.getByRole('heading').first().textContent();
      if (settings.url().startsWith(`${site}/`) && heading === 'Enter the password of Robot Desktop') continue;
      // Chromium's own answer to a redirect to a scheme that no server may name.
      if (settings.url() !== 'chrome-error://chromewebdata/')
        escapes.push(`${attempt.join(' to ')}: ${settings.url()}`);
      await settings.goto(`${site}/`);
    }
  }
  expect(escapes).toEqual([]);
  expect(elsewhere.asked).toEqual([]);
  expect(await outside(desktop)).toEqual([]);
  expect(desktop.app.windows()).toHaveLength(2);
  await expect(desktop.page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
});

test('a page that the server sends elsewhere goes nowhere', async ({ settings, hostilePage, elsewhere }) => {
  const site = `http://localhost:${hostilePage.port}`;
  await settings.evaluate((to) => {
    window.location.href = `/refresh?to=${encodeURIComponent(to)}`;
  }, elsewhere.url);
  await expect(settings).toHaveURL(/refresh/);
  await settings.waitForTimeout(500);
  expect(new URL(settings.url()).origin).toBe(site);
  expect(elsewhere.asked).toEqual([]);
});

test('its window keeps a title that says whose page it is', async ({ desktop, settings }) => {
  const settingsWindow = await desktop.app.browserWindow(settings);
  expect(await settings.title()).toBe('Home · Robot Desktop');
  await settings.evaluate(() => {
    document.title = 'Robot Desktop: enter your password';
  });
  await settings.waitForTimeout(300);
  expect(await settingsWindow.evaluate((it) => it.getTitle())).toBe('Settings of Hostile page');
});

test('no permission is granted', async ({ settings }) => {
  const asks = await settings.evaluate(() => Object.keys(hostile.asks));
  expect(asks.length).toBeGreaterThan(15);
  const granted: string[] = [];
  for (const ask of asks) {
    const answer = settings.evaluate(
      (what) =>
        Promise.resolve()
          .then(() => hostile.asks[what]?.())
          .then(
            () => 'granted',
            () => 'denied',
          ),
      ask,
    );
    // A question that nobody answers is no permission.
    const unanswered = settings.waitForTimeout(1_500).then(() => 'unanswered');
    if ((await Promise.race([answer, unanswered])) === 'granted') granted.push(ask);
  }
  expect(granted).toEqual([]);
  const states = await settings.evaluate(async () => {
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'clipboard-read',
      'midi',
    ] as PermissionName[];
    return Promise.all(names.map(async (name) => `${name} ${(await navigator.permissions.query({ name })).state}`));
  });
  expect(states.filter((state) => state.endsWith('granted'))).toEqual([]);
});

test('a file is saved only after a click, only where the user says, and one at a time', async ({
  desktop,
  dataDir,
  settings,
}) => {
  const folder = join(dataDir, 'saved');
  await answerDialogs(desktop, settings, folder);
  const ways = await settings.evaluate(() => Object.keys(hostile.saves));
  await settings.evaluate(() => {
    for (const save of Object.values(hostile.saves)) save();
  });
  await settings.waitForTimeout(1_000);
  expect(await asked(desktop)).toEqual([]);
  expect(existsSync(folder)).toBe(false);

  for (const [index, way] of ways.entries()) {
    await settings.getByRole('button', { name: way, exact: true }).click();
    await expect.poll(async () => (await asked(desktop)).length, { message: way }).toBe(index + 1);
  }
  expect(await asked(desktop)).toEqual(
    ['blob.txt', 'data.txt', 'file.txt', 'file.txt'].map((file) => `Save ${file} from the page of Hostile page`),
  );
  await expect.poll(() => readFile(join(folder, 'data.txt'), 'utf8').catch(() => '')).toBe('text');
  await expect.poll(() => readFile(join(folder, 'file.txt'), 'utf8').catch(() => '')).toBe('a file');
});

test('it cannot keep its window open, by a question or by messages without end', async ({ desktop, settings }) => {
  const settingsWindow = await desktop.app.browserWindow(settings);
  await settings.evaluate(() => {
    window.addEventListener('beforeunload', (event) => event.preventDefault());
    setTimeout(() => {
      for (;;) window.alert('Robot Desktop: enter your password');
    });
  });
  await settings.waitForTimeout(300);
  await desktop.page.getByRole('navigation').getByRole('link', { name: 'Robot', exact: true }).click();
  await expect(desktop.page.getByRole('heading', { level: 1, name: 'Robot' })).toBeVisible();
  await settingsWindow.evaluate((it) => it.close());
  await expect.poll(() => desktop.app.windows().length).toBe(1);
  expect((await desktop.slot()).state).toBe('running');
});

test('a worker and a cookie of it stay in its own session', async ({ desktop, settings }) => {
  await settings.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
    // biome-ignore lint/suspicious/noDocumentCookie: as a page would
    document.cookie = 'robot-session=stolen; path=/';
  });
  const workers = () => desktop.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  expect(await workers()).toBe(0);
  expect(await desktop.page.evaluate(() => document.cookie)).toBe('');
  const cookies = await desktop.app.evaluate(
    async ({ session }) => session.fromPartition('persist:app-hostile_page') !== session.defaultSession,
  );
  expect(cookies).toBe(true);
});

test('what it saved is gone with the app, and its window too', async ({ desktop, settings, hostilePage, dataDir }) => {
  expect(existsSync(ofRemovedApp(dataDir)), 'of an app that was removed earlier').toBe(false);
  await settings.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as a page would
    document.cookie = 'visits=1; path=/; max-age=86400';
    localStorage.setItem('visits', '1');
    window.addEventListener('pagehide', () => localStorage.setItem('visits', '2'));
  });
  await desktop.call('stopCurrentApp');
  await desktop.call('removeApp', { params: { appName: 'hostile_page' } });
  await expect.poll(() => desktop.app.windows().length).toBe(1);

  expect(await desktop.install(hostilePage.folder)).toMatchObject({ state: 'done' });
  await desktop.call('startApp', { params: { appName: 'hostile_page' } });
  const link = desktop.page.getByRole('link', { name: 'Settings of Hostile page' });
  const [again] = await Promise.all([desktop.app.waitForEvent('window'), link.click()]);
  await expect(again.getByRole('heading', { name: 'Enter the password' })).toBeVisible();
  expect(await again.evaluate(() => [document.cookie, localStorage.getItem('visits')])).toEqual(['', null]);
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Chooses a folder in every dialog that asks where to save, and keeps the dialogs' titles. */
async function answerDialogs({ app }: Desktop, settings: Page, folder: string): Promise<void> {
  const window: JSHandle<Electron.BrowserWindow> = await app.browserWindow(settings);
  await window.evaluate((it, to) => {
    const titles: string[] = [];
    Object.assign(globalThis, { titles });
    it.webContents.session.on('will-download', (event, item) => {
      if (event.defaultPrevented) return;
      titles.push(item.getSaveDialogOptions().title ?? '');
      item.setSavePath(`${to}/${item.getFilename()}`);
    });
  }, folder);
}
const asked = ({ app }: Desktop) => app.evaluate(() => (globalThis as unknown as { titles: string[] }).titles);
