/** A daemon that hangs, is killed or is slow: the page claims nothing that it does not know, and loses no typed text. */
import type { Browser, Locator, Page } from '@playwright/test';
import { card, type Daemon, expect, openDashboard, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'hung-daemon', apps: [sampleApp('hello_wave')] } });
test.afterEach(async ({ daemon }) => {
  daemon.thaw();
  await daemon.freeSlot();
});

const banner = (page: Page) => page.getByRole('region', { name: 'Connection' });
const waiting = (page: Page) => page.getByRole('status').filter({ hasText: 'Waiting for the daemon' });

test('a frozen daemon is noticed, what it had to do stays under way, and all goes on once it is thawed', async ({
  page,
  open,
  daemon,
}) => {
  await daemon.startApp('hello_wave');
  await open('#/apps');
  const wave = card(page, 'Hello wave');
  await expect(wave).toContainText('running');
  await page.evaluate(() => {
    document.title = 'not reloaded';
  });

  daemon.freeze();
  await wave.getByRole('button', { name: 'Stop Hello wave' }).click();
  await expect(wave.getByRole('button', { name: 'Stopping… Hello wave' })).toBeVisible();
  await expect(waiting(page)).toHaveText('Waiting for the daemon to stop the app');
  await expect(banner(page)).toContainText('The daemon does not answer. It runs, but it hangs');
  await expect(banner(page)).toContainText('end it, then start it the way it was started.');
  await expect(page.getByRole('main')).toHaveClass(/stale/);
  await expect(wave).toContainText('was running');
  for (const text of ['Unknown', 'last seen', 'No answer']) await expect(statusBar(page)).toContainText(text);
  await expect(waiting(page)).toHaveText('Waiting for the daemon to stop the app');
  await expect(page.getByText('did not answer')).toHaveCount(0);

  daemon.thaw();
  await expect(banner(page)).toHaveCount(0);
  await expect(waiting(page)).toHaveCount(0);
  await expect(wave.getByRole('button', { name: 'Start Hello wave' })).toBeEnabled();
  await expect(statusBar(page)).toContainText('Awake');
  await expect(page.getByText('did not answer')).toHaveCount(0);
  expect(await page.title()).toBe('not reloaded');
});

test('a tab that is shown again while the daemon is frozen claims nothing', async ({ page, open, daemon }) => {
  await open('#/');
  await expect(statusBar(page)).toContainText('Awake');
  await setHidden(page, true);
  daemon.freeze();
  await setHidden(page, false);
  await expect(page.getByRole('main')).toHaveClass(/stale/);
  await expect(statusBar(page)).toContainText('Unknown');
  await expect(banner(page)).toContainText('it hangs');
  daemon.thaw();
  await expect(banner(page)).toHaveCount(0);
  await expect(statusBar(page)).toContainText('Awake');
});

test('a frozen daemon that is killed and started again: the command failed, and the page says so in the past', async ({
  page,
  open,
  daemon,
}) => {
  await open('#/apps');
  const wave = card(page, 'Hello wave');
  await expect(wave.getByRole('button', { name: 'Start Hello wave' })).toBeEnabled();
  daemon.freeze();
  await wave.getByRole('button', { name: 'Start Hello wave' }).click();
  await expect(banner(page)).toContainText('it hangs');
  await expect(wave.getByRole('button', { name: 'Starting… Hello wave' })).toBeVisible();
  await daemon.kill();
  await expect(banner(page)).toContainText('It may have been stopped.');
  await expect(wave).toContainText('The daemon did not answer. It may have been stopped.');
  await daemon.restart();
  await expect(banner(page)).toHaveCount(0);
  await expect(wave.getByRole('button', { name: 'Start Hello wave' })).toBeEnabled();
});

test('no typed text is lost while the daemon hangs, is killed and comes back', async ({ browser, daemon }) => {
  const typing = await Promise.all(forms.map((form) => typeIn(browser, daemon, form)));
  daemon.freeze();
  for (const { page, field } of typing) {
    await expect(banner(page)).toContainText('it hangs');
    await expect(field).toHaveValue('half a sentence');
    await field.press('End');
    await field.pressSequentially(' more');
  }
  await daemon.kill();
  for (const { page } of typing) await expect(banner(page)).toContainText('It may have been stopped.');
  await daemon.restart();
  for (const { page, field } of typing) {
    await expect(banner(page)).toHaveCount(0);
    await expect(field).toHaveValue('half a sentence more');
    await page.context().close();
  }
});

test('the command that restarts the daemon can be copied while a dialog is open, which stays open', async ({
  page,
  context,
  open,
  daemon,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('#/apps');
  await page
    .getByRole('button', { name: /^Install/ })
    .first()
    .click();
  const address = page.getByRole('dialog').getByRole('textbox', { name: 'Address' });
  await address.fill('/my/app');
  daemon.freeze();
  await expect(banner(page)).toContainText('it hangs');
  await banner(page).getByRole('button', { name: 'More for a restart' }).click();
  await banner(page).getByRole('menuitem', { name: 'Copy as command' }).click();
  await expect(banner(page).getByRole('menuitem', { name: 'Copied.' })).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/ restart --data-dir \S+$/);
  await page.keyboard.press('Escape');
  await expect(banner(page).getByRole('menu')).toHaveCount(0);
  await expect(address).toHaveValue('/my/app');
});

test('with replies that are late by 5 s, every control shows that it was pressed, and nothing is claimed too early', async ({
  page,
  open,
  daemon,
}) => {
  await delayReplies(page, 5_000);
  await open('#/apps');
  const wave = card(page, 'Hello wave');
  const start = wave.getByRole('button', { name: 'Start Hello wave' });
  await start.click();
  await expect(wave).toContainText('running'); // by an event, before the reply
  await expect(waiting(page)).toHaveCount(0);
  await wave.getByRole('button', { name: 'Stop Hello wave' }).click();
  await expect(start).toHaveText('Start');
  await expect(start).toBeEnabled();
  await expect(banner(page)).toHaveCount(0);

  await open('#/robot');
  await page.getByRole('button', { name: 'Put to sleep' }).click();
  await expect(statusBar(page)).toContainText('Asleep');
  await expect(waiting(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Wake up' }).click();
  await expect(statusBar(page)).toContainText('Awake');

  await open('#/settings');
  await page.getByLabel('Token of the daemon').fill('rd_wrong');
  await page.getByRole('button', { name: 'Sign this browser in' }).click();
  await expect(waiting(page)).toContainText('Waiting for the daemon to');
  await expect(page.getByText('This token is unknown')).toHaveCount(0);
  await expect(page.getByText('This token is unknown')).toBeVisible();
  await expect(page.getByLabel('Token of the daemon')).toHaveValue('rd_wrong');
  await expect(banner(page)).toHaveCount(0);
  expect((await daemon.slot()).state).toBe('free');
  await page.unrouteAll({ behavior: 'ignoreErrors' }); // some replies are still to come
});

/** A text field, and how to get there. */
interface Form {
  readonly hash: string;
  readonly open?: (page: Page) => Promise<void>;
  readonly field: (page: Page) => Locator;
}

const forms: readonly Form[] = [
  {
    hash: '#/apps',
    open: (page) =>
      page
        .getByRole('button', { name: /^Install/ })
        .first()
        .click(),
    field: (page) => page.getByRole('dialog').getByRole('textbox', { name: 'Address' }),
  },
  {
    hash: '#/apps/hello_wave?tab=variables',
    open: (page) => page.getByRole('button', { name: 'Add a variable' }).click(),
    field: (page) => page.getByRole('textbox', { name: 'Name' }),
  },
  { hash: '#/settings', field: (page) => page.getByLabel('Token of the daemon') },
  { hash: '#/settings', field: (page) => page.getByLabel('Access token') },
  { hash: '#/settings', field: (page) => page.getByLabel('Address of the service') },
  { hash: '#/models?tab=machine', field: (page) => page.getByLabel('Token of the daemon') },
];

/** Types half a sentence, in a browser of its own: a browser allows six connections to the daemon. */
async function typeIn(browser: Browser, daemon: Daemon, form: Form): Promise<{ page: Page; field: Locator }> {
  const page = await (await browser.newContext()).newPage();
  await openDashboard(page, daemon, form.hash);
  await form.open?.(page);
  const field = form.field(page);
  await field.fill('half a sentence');
  return { page, field };
}

/** Delays each reply of the daemon, not the event stream; the daemon itself acts at once. */
async function delayReplies(page: Page, ms: number): Promise<void> {
  await page.route(/\/(?:api|v2)\/(?!events)/, async (route) => {
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.fulfill({ response });
  });
}

/** Simulates a hidden tab with the page's own events, since headless Chromium never hides one. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
