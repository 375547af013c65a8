/** Activity: several installs at once wait for each other, are distinguished, and are cancelled together. */
import { card, expect, fixtureApp, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'activity' } });

test('installs that wait say so, stand below those that run, and are all cancelled with one button', async ({
  page,
  open,
  daemon,
}) => {
  const names = ['slow_to_import', 'forks', 'silent', 'polite', 'floods'];
  for (const name of names) await daemon.call('installApp', { body: { url: fixtureApp(name) } });
  await open('#/activity');
  const states = async () => page.getByRole('article').locator('.state-word').allTextContents();
  await expect(page.getByText(/^It waits for \d other jobs?\.$/).first()).toBeVisible();
  await expect.poll(async () => (await states()).includes('queued')).toBe(true);
  const rank = ['running', 'cancelling', 'queued', 'done'];
  const ranks = (await states()).map((state) => rank.indexOf(state));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));

  await page.getByRole('button', { name: /^Cancel all \d jobs$/ }).press('Enter');
  await expect.poll(async () => (await daemon.jobs()).every(({ endedAt }) => endedAt !== null)).toBe(true);
  await expect(page.getByRole('button', { name: /^Cancel all/ })).toHaveCount(0);
  await expect(card(page, 'Install floods')).toContainText('cancelled');
  await expect(page.locator('#list-count')).toBeFocused();

  await page.getByRole('radio', { name: 'Under way' }).click({ force: true });
  await expect(page.getByText('Nothing runs or waits.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Under way' })).toBeChecked();
});
