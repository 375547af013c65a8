/** The settings icon leads to an app's own page, whenever there is one to lead to. */
import { card, expect, fixtureApp, test } from './fixtures.ts';

test.use({ daemonUse: { of: 'settings-page', apps: [fixtureApp('polite')] } });
test.beforeEach(({ daemon, ownPage }) => daemon.have(ownPage.folder));
test.afterEach(({ daemon }) => daemon.freeSlot());

test('the icon is there from the start, leads to the page while that answers, and says why when it does not', async ({
  page,
  open,
  ownPage,
}) => {
  await open('#/apps');
  const own = card(page, 'own_page');
  await expect(card(page, 'polite').getByText('Settings')).toHaveCount(0);
  // Marked as disabled and pressed all the same: then it says why, hence the force.
  const icon = own.getByRole('button', { name: 'Settings of own_page' });
  await icon.click({ force: true });
  await expect(own.getByText('Start own_page to configure it.')).toBeVisible();

  await own.getByRole('button', { name: 'Start own_page' }).click();
  await expect(own).toContainText('running');
  await icon.click({ force: true });
  await expect(own.getByText('Its page does not answer yet.')).toBeVisible();

  const link = own.getByRole('link', { name: 'Settings of own_page' });
  await expect(link).toHaveAttribute('href', `http://localhost:${ownPage.port}/`);
  const [settings] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await expect(settings.getByRole('heading', { name: 'The page of own_page' })).toBeVisible();
  expect(await settings.evaluate(() => window.opener)).toBeNull();

  await own.getByRole('button', { name: 'Stop own_page' }).click();
  await expect(icon).toBeVisible();
  await expect(link).toHaveCount(0);
});

test('the icon is on Home and on the page of the app too', async ({ page, open, daemon }) => {
  await daemon.start('own_page');
  await open();
  await expect(page.getByRole('link', { name: 'Settings of own_page' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Own page' }).click();
  await expect(page.getByRole('link', { name: 'Settings of own_page' })).toBeVisible();
});

test('the page is opened under the other name of this machine, so that it is not sent the cookie of the dashboard', async ({
  page,
  daemon,
  ownPage,
}) => {
  await daemon.start('own_page');
  await page.goto(`${daemon.url.replace('127.0.0.1', 'localhost')}/#/apps`);
  const link = page.getByRole('link', { name: 'Settings of own_page' });
  await expect(link).toHaveAttribute('href', `http://127.0.0.1:${ownPage.port}/`);
});
