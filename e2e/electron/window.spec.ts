/** The desktop program: a sandboxed window for its own daemon, and a shutdown that leaves nothing. */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { startDaemonProcess } from '../../daemon/testing/daemon/daemon-process.ts';
import { fixtureApp, projectDir, sampleApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { childrenOf, type Desktop, expect, startDesktop, test } from './desktop.ts';
import { collectOutside, outside } from './outside.ts';
import { robotStates } from './robot-states.ts';

test.describe('without changes', () => {
  test.describe.configure({ mode: 'default' }); // one after the other, in the same window

  test('the dashboard is shown in a sandboxed window that knows neither Node nor Electron', { tag: '@smoke' }, async ({
    sharedDesktop: desktop,
  }) => {
    const { app, page } = desktop;
    const titles = () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.getTitle()));
    await expect.poll(titles).toEqual(['Home · Robot Desktop']);
    const window = await app.browserWindow(page);
    // Electron has this method; its types omit it.
    const preferences = await window.evaluate((it) =>
      (it.webContents as unknown as { getLastWebPreferences(): Electron.WebPreferences }).getLastWebPreferences(),
    );
    expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
    expect(preferences.preload ?? '').toBe('');
    expect(
      await page.evaluate(() => ['require', 'process', 'module', 'electron'].filter((name) => name in globalThis)),
    ).toEqual([]);
  });

  test('the window may deploy without a sign-in, by a cookie that its page cannot read', async ({
    sharedDesktop: desktop,
  }) => {
    const { page } = desktop;
    const session = () => page.evaluate(async () => (await fetch('/api/session')).json());
    expect(await session()).toMatchObject({ signedIn: true, namespaces: null, isOwnUser: true });
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(await desktop.call('getSession')).toMatchObject({ signedIn: false });
    await page.reload();
    expect(await session()).toMatchObject({ signedIn: true });
  });

  test('no permission is granted except writing to the clipboard', async ({ sharedDesktop: desktop }) => {
    const states = await desktop.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone'] as PermissionName[];
      return Promise.all(names.map(async (name) => `${name} ${(await navigator.permissions.query({ name })).state}`));
    });
    expect(states.filter((state) => state.endsWith('granted'))).toEqual([]);
  });

  test('the system’s dialog chooses a model file, whose path the page then has', async ({ sharedDesktop: desktop }) => {
    const { app, page, url } = desktop;
    await app.evaluate(({ dialog }) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/models/a b.gguf'] });
    });
    // The stand-in's browser does not call itself Electron.
    await page.addInitScript(() => {
      const { userAgent } = navigator;
      const named = userAgent.includes(' Electron/') ? userAgent : `${userAgent} Electron/0.0.0`;
      Object.defineProperty(navigator, 'userAgent', { value: named });
    });
    await page.goto(`${url}/#/models?tab=machine`);
    await page.reload();
    await page.getByRole('button', { name: 'Choose…' }).click();
    await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/models/a b.gguf');
    await page.goto(`${url}/#/`);
  });

  test('the window never leaves the dashboard, whatever the page tries', async ({ sharedDesktop: desktop }) => {
    const { app, page, url } = desktop;
    await collectOutside(desktop);
    for (const address of ['https://evil.test/', 'http://127.0.0.1:9/', 'mailto:someone@evil.test']) {
      await page.evaluate((to) => {
        window.location.href = to;
      }, address);
      await page.evaluate((to) => window.open(to), address);
      await clickLink(page, address, '_blank');
    }
    await clickLink(page, 'https://www.python.org/downloads/', '_blank');
    await clickLink(page, 'https://www.python.org/', '');
    await expect.poll(() => outside(desktop)).toEqual(['https://www.python.org/downloads/', 'https://www.python.org/']);
    expect(app.windows()).toHaveLength(1);
    expect(page.url()).toBe(`${url}/#/`);
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  });

  test('a link to a port that no app claims opens nothing', async ({ sharedDesktop: desktop, ownPage }) => {
    await collectOutside(desktop);
    await clickLink(desktop.page, `http://127.0.0.1:${ownPage.port}/`, '_blank');
    await desktop.page.waitForTimeout(500);
    expect(desktop.app.windows()).toHaveLength(1);
    expect(await outside(desktop)).toEqual([]);
  });
});

test('quitting the program puts the robot to sleep and ends the running app', { tag: '@smoke' }, async ({
  desktop,
  dataDir,
}) => {
  const { page, exited } = desktop;
  expect(await desktop.install(sampleApp('hello_wave'))).toMatchObject({ state: 'done' });
  await page.getByRole('navigation').getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('button', { name: 'Start Hello wave' }).click();
  await expect(page.getByRole('article', { name: 'Hello wave' })).toContainText('running');
  expect(await childrenOf(dataDir)).toHaveLength(1);

  const states = robotStates(desktop);
  const [window] = desktop.app.windows();
  await window?.close();
  expect(await exited).toBe(0);
  expect(await states).toEqual(['awake', 'going-to-sleep', 'asleep']);
  expect(await childrenOf(dataDir)).toEqual([]);
});

test('at an exit, quit comes before the closed windows', async ({ desktop }) => {
  const { app, exited } = desktop;
  const output = text(app.process().stdout as Readable);
  await app.evaluate(({ app: it, BrowserWindow }) => {
    it.once('quit', () => console.log('event: quit'));
    BrowserWindow.getAllWindows()[0]?.once('closed', () => console.log('event: closed'));
    it.quit();
  });
  expect(await exited).toBe(0);
  expect((await output).match(/event: \w+/g)).toEqual(['event: quit', 'event: closed']);
});

test("an app's settings page opens in its own window, which never leaves the app's site", { tag: '@smoke' }, async ({
  desktop,
  ownPage,
}) => {
  const { app, page, url } = desktop;
  await desktop.install(ownPage.folder);
  await desktop.call('startApp', { params: { appName: 'own_page' } });
  await page.getByRole('navigation').getByRole('link', { name: 'Apps' }).click();
  const link = page.getByRole('link', { name: 'Settings of Own page' });
  const [settings] = await Promise.all([app.waitForEvent('window'), link.click()]);
  await expect(settings.getByRole('heading', { name: 'The page of own_page' })).toBeVisible();
  const settingsWindow = await app.browserWindow(settings);
  expect(await settingsWindow.evaluate((it) => it.getTitle())).toBe('Settings of Own page');
  const preferences = await settingsWindow.evaluate((it) =>
    (it.webContents as unknown as { getLastWebPreferences(): Electron.WebPreferences }).getLastWebPreferences(),
  );
  expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, partition: 'persist:app-own_page' });

  await settings.evaluate((to) => {
    window.location.href = to;
  }, url);
  await settings.evaluate((to) => window.open(to), url);
  await settings.getByRole('link', { name: 'Elsewhere' }).click();
  // It cannot keep its window from closing either.
  await settings.evaluate(() => window.addEventListener('beforeunload', (event) => event.preventDefault()));
  await settings.getByRole('link', { name: 'The robot' }).click();
  await settings.getByRole('link', { name: 'More' }).click();
  await expect(settings).toHaveURL(`http://localhost:${ownPage.port}/more`);
  expect(app.windows()).toHaveLength(2);
  // The daemon treats it as a page of another site.
  expect(
    await settings.evaluate(
      (to) =>
        fetch(to).then(
          () => 'read',
          () => 'refused',
        ),
      `${url}/api/apps/list`,
    ),
  ).toBe('refused');

  // Followed again, the link leads to the same window.
  await link.click();
  await expect(settings).toHaveURL(`http://localhost:${ownPage.port}/`);
  expect(app.windows()).toHaveLength(2);
  await desktop.call('stopCurrentApp');
});

test('the menu leads to the pages, under the same keys as the page, and stops the app', async ({ desktop }) => {
  const { page } = desktop;
  await desktop.install(fixtureApp('polite'));
  await choose(desktop, 'Robot');
  await expect(page.getByRole('heading', { level: 1, name: 'Robot' })).toBeVisible();
  for (const [key, name] of ['Home', 'Robot', 'Apps', 'Models', 'Activity', 'Settings'].entries()) {
    await page.keyboard.press(`Control+${key + 1}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
    // The menu's click is done before the page has changed.
    const elsewhere = name === 'Robot' ? 'Home' : 'Robot';
    await choose(desktop, elsewhere);
    await expect(page.getByRole('heading', { level: 1, name: elsewhere })).toBeVisible();
    await choose(desktop, name);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
  await choose(desktop, 'Install an App…');
  await expect(page.getByRole('textbox', { name: 'Address' })).toBeFocused();
  await page.keyboard.press('Escape');
  await desktop.call('startApp', { params: { appName: 'polite' } });
  await expect.poll(async () => (await desktop.slot()).state).toBe('running');
  await choose(desktop, 'Stop the Running App');
  await expect.poll(async () => (await desktop.slot()).state).toBe('free');
});

test('a second start shows the first window and exits', async ({ desktop, dataDir }) => {
  test.skip(Boolean(process.env['NO_WINDOW_MANAGER']), 'no window manager is installed, which minimizes windows');
  const program = join(
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(projectDir, 'node_modules/electron/dist'),
    'electron',
  );
  const window = await desktop.app.browserWindow(desktop.page);
  await window.evaluate((it) => it.minimize());
  await expect.poll(() => window.evaluate((it) => it.isMinimized())).toBe(true);
  await execa(program, [projectDir, '--', '--data-dir', dataDir], { stdio: 'ignore' });
  await expect.poll(() => window.evaluate((it) => it.isMinimized())).toBe(false);
  expect((await desktop.slot()).state).toBe('free');
});

test('a daemon that already uses the data folder is shown, and outlives the window', async ({ dataDir }) => {
  const daemon = await startDaemonProcess(dataDir);
  const desktop = await startDesktop(dataDir);
  expect(desktop.url).toBe(daemon.url);
  const session = await desktop.page.evaluate(async () => (await fetch('/api/session')).json());
  expect(session).toMatchObject({ signedIn: false }); // that daemon does not know this window
  await desktop.app.close();
  expect((await fetch(`${daemon.url}/api/daemon/status`)).status).toBe(200);
  daemon.process.kill('SIGINT');
  expect(await daemon.exited).toBe(0);
});

async function clickLink(page: Desktop['page'], href: string, target: string): Promise<void> {
  await page.evaluate(
    ([to, where]) => {
      const link = Object.assign(document.createElement('a'), { href: to, target: where, rel: 'noreferrer' });
      document.body.append(link);
      link.click();
      link.remove();
    },
    [href, target] as const,
  );
}

async function choose({ app }: Desktop, label: string): Promise<void> {
  await app.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    items.find((item) => item.label === wanted)?.click();
  }, label);
}
