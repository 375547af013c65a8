/** The program beside its window: the tray, closing, the start at login, and links. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Page } from '@playwright/test';
import { execa } from 'execa';
import { daemonAt } from '../../daemon/client/node/daemon-at.ts';
import { lineMatching } from '../../daemon/testing/daemon/line-matching.ts';
import { projectDir } from '../../daemon/testing/daemon/test-daemon.ts';
import { expectAccessible } from '../accessible.ts';
import { test as base, type Desktop, expect, launchDesktop, startDesktop } from './desktop.ts';

interface Fixtures {
  /** Variables of a desktop that shows tray icons, or shows none, with an autostart folder of its own. */
  readonly desktopEnv: (hasTray: boolean) => Promise<Record<string, string>>;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  desktopEnv: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'desktop-env-'));
    await use(async (hasTray) => {
      const tools = join(folder, 'tools');
      await mkdir(tools, { recursive: true });
      for (const tool of ['busctl', 'gdbus', 'dbus-send']) {
        await writeFile(join(tools, tool), `#!/bin/sh\necho ${hasTray}\n`);
        await chmod(join(tools, tool), 0o755);
      }
      const path = [tools, process.env['PATH'] ?? ''].join(delimiter);
      return { PATH: path, XDG_CONFIG_HOME: join(folder, 'config') };
    });
    await rm(folder, { recursive: true });
  },
});

const robotOf = async (desktop: Pick<Desktop, 'call'>) => (await desktop.call('getRobot')).robot.state;

/** Keeps the tray's menu, from its next change on. */
async function followTray({ app }: Pick<Desktop, 'app'>): Promise<void> {
  await app.evaluate(({ Tray }) => {
    const set = Reflect.get(Tray.prototype, 'setContextMenu') as (menu: Electron.Menu | null) => void;
    Tray.prototype.setContextMenu = function (this: Electron.Tray, menu: Electron.Menu | null) {
      Object.assign(globalThis, { trayMenu: menu });
      set.call(this, menu);
    };
  });
}
/** Its items that can be chosen. */
const trayItems = ({ app }: Pick<Desktop, 'app'>) =>
  app.evaluate(() => {
    const { trayMenu } = globalThis as unknown as { trayMenu?: Electron.Menu };
    return (trayMenu?.items ?? []).filter(({ label, enabled }) => enabled && label).map(({ label }) => label);
  });
const chooseInTray = ({ app }: Pick<Desktop, 'app'>, wanted: string) =>
  app.evaluate((_electron, label) => {
    const { trayMenu } = globalThis as unknown as { trayMenu: Electron.Menu };
    trayMenu.items.find((item) => item.label === label)?.click();
  }, wanted);

/** Answers each question from now on with a button, and keeps what is asked and said. */
async function answerWith({ app }: Pick<Desktop, 'app'>, button: number): Promise<void> {
  await app.evaluate(({ dialog }, response) => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    dialog.showMessageBox = (async (options: Electron.MessageBoxOptions) => {
      said.push(options.message);
      return { response, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, button);
}
const saidBy = ({ app }: Pick<Desktop, 'app'>) =>
  app.evaluate(() => (globalThis as unknown as { said: string[] }).said);

/** Closes the window as its user does. */
async function closeWindow({ app }: Pick<Desktop, 'app'>): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

/** The settings of the program, also in the stand-in, whose browser does not call itself Electron. */
async function openSettings(page: Page, url: string) {
  await page.addInitScript(() => {
    const { userAgent } = navigator;
    const named = userAgent.includes(' Electron/') ? userAgent : `${userAgent} Electron/0.0.0`;
    Object.defineProperty(navigator, 'userAgent', { value: named });
  });
  await page.goto(`${url}/#/settings?section=desktop`);
  await page.reload();
  return page.getByRole('region', { name: 'The window' });
}

test('closed, it keeps running in the tray with the robot awake; the tray opens it again, and quits it', async ({
  dataDir,
  desktopEnv,
}) => {
  const desktop = await startDesktop(dataDir, { env: await desktopEnv(true), settings: null });
  const { app, url } = desktop;
  await followTray(desktop);
  await expect.poll(() => robotOf(desktop)).toBe('awake');
  await desktop.call('putRobotToSleep');
  await expect.poll(() => trayItems(desktop)).toEqual(['Wake the Robot Up', 'Open Robot Desktop', 'Quit']);
  await chooseInTray(desktop, 'Wake the Robot Up');
  await expect.poll(() => trayItems(desktop)).toContain('Put the Robot to Sleep');

  await answerWith(desktop, 0);
  await closeWindow(desktop);
  await expect.poll(() => app.windows().length).toBe(0);
  expect(await saidBy(desktop)).toEqual(['Keep Robot Desktop running in the tray?']);
  expect(await robotOf(desktop)).toBe('awake');

  const [page] = await Promise.all([app.waitForEvent('window'), chooseInTray(desktop, 'Open Robot Desktop')]);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  const settings = await openSettings(page, url);
  await expect(settings.getByRole('radio', { name: 'Keep running in the tray' })).toBeChecked();
  await expectAccessible(page, 'desktop-settings');
  await closeWindow(desktop);
  await expect.poll(() => app.windows().length).toBe(0);
  expect(await saidBy(desktop), 'it asks once').toHaveLength(1);
  await chooseInTray(desktop, 'Quit').catch(() => {}); // the program may be gone before it answers
  expect(await desktop.exited).toBe(0);
});

test('without a tray it says so, and closing quits without a question', async ({ dataDir, desktopEnv }) => {
  const desktop = await startDesktop(dataDir, { env: await desktopEnv(false), settings: { closing: 'keep-running' } });
  await answerWith(desktop, 0);
  const noTray = async () => (await desktop.call('getDaemonStatus')).desktop?.noTray;
  await expect.poll(noTray).toMatch(/^This desktop shows no tray icons, so closing the window quits\./);
  const settings = await openSettings(desktop.page, desktop.url);
  await expect(settings).toContainText('This desktop shows no tray icons');
  await expectAccessible(desktop.page, 'desktop-settings-without-tray');
  await closeWindow(desktop);
  expect(await desktop.exited).toBe(0);
});

test('it opens at login once that is switched on, and leaves nothing when it is switched off', async ({
  dataDir,
  desktopEnv,
}) => {
  const env = await desktopEnv(true);
  const desktop = await startDesktop(dataDir, { env });
  const entry = join(env['XDG_CONFIG_HOME'] ?? '', 'autostart', 'robot-desktop.desktop');
  const settings = await openSettings(desktop.page, desktop.url);
  const atLogin = settings.getByRole('switch', { name: 'Open at login' });
  await atLogin.focus();
  await desktop.page.keyboard.press('Space');
  await expect(atLogin).toBeChecked();
  expect(await readFile(entry, 'utf8')).toMatch(new RegExp(`^Exec=.* --at-login -- --data-dir "?${dataDir}"?$`, 'm'));
  await settings.getByRole('switch', { name: 'Without its window' }).click();
  await expect(settings.getByRole('switch', { name: 'Without its window' })).toBeChecked();
  await atLogin.click();
  await expect(atLogin).not.toBeChecked();
  await expect(readFile(entry)).rejects.toThrow('ENOENT');
  await desktop.app.close();
  await desktop.exited;
});

test('opened at login without its window, it waits in the tray until its window is wanted', async ({
  dataDir,
  desktopEnv,
}) => {
  const env = await desktopEnv(true);
  const settings = { closing: 'keep-running', opensHidden: true };
  const { app, exited } = await launchDesktop(dataDir, { env, settings, words: ['--at-login'] });
  const url = (await lineMatching(app.process().stdout as Readable, / is at (http:\S+)\/$/))?.[1] ?? '';
  await expect.poll(() => robotOf(daemonAt(url))).toBe('awake');
  expect(app.windows()).toEqual([]);
  const [page] = await Promise.all([app.waitForEvent('window'), startAgain(dataDir)]);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await app.close();
  expect(await exited).toBe(0);
});

const APP = 'https://hub.example/spaces/ann/dance';
const linkTo = (address: string) => `robot-desktop://install?url=${encodeURIComponent(address)}`;

/** Starts the program once more, which gives its arguments to the one that runs, and ends. */
async function startAgain(dataDir: string, ...words: readonly string[]): Promise<void> {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(projectDir, 'node_modules/electron/dist');
  const options = ['--', '--data-dir', dataDir];
  await execa(join(folder, 'electron'), [projectDir, ...words, ...options], { stdio: 'ignore' });
}

test('a link opens the install dialog, and installs nothing; a hostile one is refused with the reason', async ({
  dataDir,
}) => {
  const desktop = await startDesktop(dataDir, { words: [linkTo(APP)] });
  const { page } = desktop;
  const address = page.getByRole('dialog', { name: 'Install an app' }).getByRole('textbox', { name: 'Address' });
  await expect(address).toHaveValue(APP);
  await expect(page.getByText(/^A link suggests this app\./)).toBeVisible();
  // Enter, pressed for the page that opened the link, would close the dialog.
  await expect(page.locator('.dialog-actions button', { hasText: 'Close' })).toBeFocused();
  await expectAccessible(page, 'install-from-a-link');
  await startAgain(dataDir, linkTo('https://git.example/ann/wave.git#v1.2'));
  await expect(address).toHaveValue('https://git.example/ann/wave.git#v1.2');
  await page.keyboard.press('Escape');
  await expect(address).toBeHidden();

  await answerWith(desktop, 0);
  await startAgain(dataDir, linkTo('file:///etc/passwd'));
  await startAgain(dataDir, 'robot-desktop://remove?app=dance');
  await expect.poll(() => saidBy(desktop)).toEqual(['The link was not opened', 'The link was not opened']);
  await expect(address).toBeHidden();
  expect(await desktop.call('listJobs')).toEqual([]);
  await desktop.app.close();
  await desktop.exited;
});
