/** Pages load on demand. One that the daemon did not send says so, and appears by itself; a README is plain text until then. */
import type { Page } from '@playwright/test';
import { expect, sampleApp, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'pages-on-demand', apps: [sampleApp('hello_wave')] } });
test.afterEach(({ daemon }) => daemon.thaw());
// No page is loaded before it is opened.
test.beforeEach(({ page }) => page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 })));

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const robotLink = (page: Page) => page.getByRole('link', { name: 'Robot', exact: true });

test('a dashboard whose program is lost on its way is loaded again, once', async ({ page, daemon }) => {
  const loads = countLoads(page);
  let lost = 0;
  await page.route(/\/assets\/.*\.js$/, (route) => {
    lost += 1;
    return lost === 1 ? route.abort('internetdisconnected') : route.continue();
  });
  await page.goto(daemon.url);
  await expect(heading(page, 'Home')).toBeVisible();
  expect(loads()).toBe(2);
});

test('a page that was not loaded before the daemon was killed appears by itself once the daemon is back', async ({
  page,
  open,
  daemon,
}) => {
  const dialogs = page.waitForEvent('requestfinished', (request) => /Overlays.*\.js$/.test(request.url()));
  await open('#/apps');
  await dialogs;
  const loads = countLoads(page);
  await daemon.kill();
  await robotLink(page).click();
  await expect(heading(page, 'This page is not loaded yet')).toBeFocused();
  await expect(page.getByRole('main')).toContainText('The page appears by itself once the daemon answers.');

  // The pages that were loaded, and the dialogs, still open.
  await page.getByRole('link', { name: 'Apps' }).click();
  await expect(page.getByRole('article', { name: 'Hello wave' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await robotLink(page).click();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or run' });
  await field.fill('half a word');

  await daemon.restart();
  await expect(page.getByRole('region', { name: 'Connection' })).toHaveCount(0);
  await expect(field).toHaveValue('half a word');
  expect(loads()).toBe(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Live view' })).toBeVisible();
  await expect(heading(page, 'Robot')).toBeFocused();
  expect(loads()).toBe(1);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(heading(page, 'Settings')).toBeVisible();
  expect(loads()).toBe(1);
});

test('a page that is asked for while the daemon hangs says what it waits for, and appears without a reload', async ({
  page,
  open,
  daemon,
}) => {
  await open();
  const loads = countLoads(page);
  daemon.freeze();
  await robotLink(page).click();
  await expect(page.getByText('Waiting for the daemon to send this page…')).toBeVisible();
  await expect(heading(page, 'This page is not loaded yet')).toBeFocused();
  daemon.thaw();
  await expect(heading(page, 'Robot')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Live view' })).toBeVisible();
  expect(loads()).toBe(0);
});

test('a page that hung with a daemon that is then killed appears by itself once the daemon is back', async ({
  page,
  open,
  daemon,
}) => {
  await open();
  daemon.freeze();
  await robotLink(page).click();
  await expect(page.getByText('Waiting for the daemon to send this page…')).toBeVisible();
  await daemon.kill();
  await expect(heading(page, 'This page is not loaded yet')).toBeVisible();
  await daemon.restart();
  await expect(page.getByRole('region', { name: 'Live view' })).toBeVisible();
});

test('a dialog that cannot be loaded says so', async ({ page, open }) => {
  await page.route(/Overlays.*\.js$/, (route) => route.abort());
  await open();
  await page.keyboard.press('?');
  const note = page.getByRole('alert').filter({ hasText: 'This dialog could not be loaded.' });
  await expect(note.getByRole('button', { name: 'Reload' })).toBeEnabled();
  await note.getByRole('button', { name: 'Dismiss this message' }).click();
  await expect(note).toHaveCount(0);
  await expect(heading(page, 'Home')).toBeVisible();
});

test('a page that cannot be loaded for another reason reloads the window once, and leaves the rest to the user', async ({
  page,
  open,
}) => {
  await page.route(/RobotPage.*\.css$/, (route) => route.abort());
  await page.route(/Markdown/, (route) => route.abort());
  await open('#/apps/hello_wave?tab=readme');
  const readme = page.getByRole('region', { name: 'Read me' });
  await expect(readme).toContainText('# Hello wave');
  await page.unroute(/Markdown/);
  await page.route(/readme-worker/, (route) => route.abort());
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(heading(page, 'Home')).toBeVisible();
  await page.goBack();
  await expect(readme).toContainText('# Hello wave');
  await page.unroute(/readme-worker/);
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(heading(page, 'Home')).toBeVisible();
  await page.goBack();
  await expect(readme.getByRole('heading', { name: 'Hello wave' })).toBeVisible();

  const loads = countLoads(page);
  await robotLink(page).click();
  await expect(heading(page, 'This page cannot be shown')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/RobotPage.*css/);
  // Nothing that a change of the page, or of the connection, would repeat.
  await page.getByRole('link', { name: 'Home' }).click();
  await robotLink(page).click();
  await expect(heading(page, 'This page cannot be shown')).toBeVisible();
  expect(loads()).toBe(1);

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('region', { name: 'Live view' })).toBeVisible();
  expect(loads()).toBe(2);
});

/** @returns how often the window was loaded since */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  return () => loads;
}
