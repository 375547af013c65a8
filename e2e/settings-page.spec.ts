/** The settings icon opens an app's settings page while the page answers. */
import { card, expect, fixtureApp, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'settings-page', apps: [fixtureApp('polite')] } });
test.beforeEach(({ daemon, ownPage }) => daemon.ensureInstalled(ownPage.folder));
test.afterEach(({ daemon }) => daemon.freeSlot());

test('the icon opens the settings page while it answers, and says why when it does not', { tag: '@smoke' }, async ({
  page,
  open,
  ownPage,
}) => {
  await open('#/apps');
  const own = card(page, 'Own page');
  await expect(card(page, 'Polite').getByText('Settings')).toHaveCount(0);
  // The click is forced: a disabled icon says why when it is pressed.
  const icon = own.getByRole('button', { name: 'Settings of Own page' });
  await icon.click({ force: true });
  await expect(own.getByText('Start Own page to configure it.')).toBeVisible();

  await own.getByRole('button', { name: 'Start Own page' }).click();
  await expect(own).toContainText('running');
  await icon.click({ force: true });
  await expect(own.getByText('Its page does not answer yet.')).toBeVisible();

  const link = own.getByRole('link', { name: 'Settings of Own page' });
  await expect(link).toHaveAttribute('href', `http://localhost:${ownPage.port}/`);
  const [settings] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await expect(settings.getByRole('heading', { name: 'The page of own_page' })).toBeVisible();
  expect(await settings.evaluate(() => window.opener)).toBeNull();

  await own.getByRole('button', { name: 'Stop Own page' }).click();
  await expect(icon).toBeVisible();
  await expect(link).toHaveCount(0);
});

test('the icon is on Home and on the page of the app too', async ({ page, open, daemon }) => {
  await daemon.startApp('own_page');
  await open();
  await expect(page.getByRole('link', { name: 'Settings of Own page' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Own page' }).first().click();
  await expect(page.getByRole('link', { name: 'Settings of Own page' })).toBeVisible();
});

test('the settings page opens under the other name of this machine, so that it does not get the cookie of the dashboard', async ({
  page,
  daemon,
  ownPage,
}) => {
  await daemon.startApp('own_page');
  await page.goto(`${daemon.url.replace('127.0.0.1', 'localhost')}/#/apps`);
  const link = page.getByRole('link', { name: 'Settings of Own page' });
  await expect(link).toHaveAttribute('href', `http://127.0.0.1:${ownPage.port}/`);
});
