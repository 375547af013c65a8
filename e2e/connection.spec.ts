/** The daemon is the one that knows: a page that has lost it says so, and is right again by itself. */
import { card, expect, fixtureApp, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonUse: { of: 'connection', apps: [sampleApp('hello_wave')] } });

test('a daemon that is killed is missed at once, and found again without a reload', async ({ page, open, daemon }) => {
  await daemon.start('hello_wave');
  await open('#/apps');
  const wave = card(page, 'hello_wave');
  await expect(wave).toContainText('running');
  await page.evaluate(() => {
    document.title = 'not reloaded';
  });

  await daemon.kill();
  const banner = page.getByRole('region', { name: 'Connection' });
  await expect(banner).toContainText('The daemon does not answer. It may have been stopped.', { timeout: 2_000 });
  await expect(banner).toContainText(/Last update at \d/);
  await expect(wave).toContainText('Hello wave');
  await expect(statusBar(page)).toContainText('No daemon');
  await expect(statusBar(page)).toContainText('Unknown');
  await expect(statusBar(page)).toContainText('last seen');
  for (const button of await page.getByRole('button', { name: /^(Start|Stop|Install)/ }).all()) {
    await expect(button).toBeDisabled();
  }
  // What was read stays to be read, on every page.
  await page.getByRole('link', { name: 'Robot', exact: true }).click();
  await expect(page.getByRole('meter')).toHaveCount(9);
  await page.getByRole('link', { name: 'Apps' }).click();

  await daemon.startAgain();
  await expect(banner).toHaveCount(0, { timeout: 15_000 });
  await expect(wave.getByRole('button', { name: 'Start hello_wave' })).toBeEnabled();
  await expect(wave).toContainText('The daemon stopped while it ran.');
  await expect(statusBar(page)).toContainText('No app runs');
  await expect(statusBar(page)).toContainText('Awake');
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1);

  await wave.getByRole('button', { name: 'Start hello_wave' }).click();
  await expect(wave).toContainText('running');
  await daemon.freeSlot();
});

test('an install that the kill cut short is shown as failed, and nothing of it stays', async ({
  page,
  open,
  daemon,
}) => {
  await open('#/activity');
  const before = await daemon.traces();
  await daemon.call('installApp', { body: { url: fixtureApp('slow_to_import') } });
  const job = card(page, 'Install slow_to_import');
  await expect(job.getByRole('listitem').and(job.locator('[aria-current=step]'))).toContainText('Test the import');

  await daemon.kill();
  await expect(job.getByRole('button', { name: 'Cancel install of slow_to_import' })).toBeDisabled();
  await daemon.startAgain();
  // Not waiting for the countdown, unless that is over first.
  const banner = page.getByRole('region', { name: 'Connection' });
  await Promise.race([
    banner.getByRole('button', { name: 'Try now' }).click(),
    expect(banner).toHaveCount(0, { timeout: 15_000 }),
  ]);
  await expect(job).toContainText('failed');
  await expect(job).toContainText('The daemon stopped before this was done. Installed apps are intact.');
  await expect(job.getByRole('button', { name: 'Try again to install slow_to_import' })).toBeEnabled();
  expect((await daemon.jobs())[0]).toMatchObject({ state: 'failed', failure: { reason: 'interrupted' } });
  expect(await daemon.traces()).toEqual(before);
  // The new daemon's own look for Python may still be under way.
  await expect.poll(() => daemon.children()).toEqual([]);
});

test('a page that is opened while there is no daemon is of no use, and says nothing false once it is back', async ({
  page,
  open,
  daemon,
}) => {
  await open('#/robot');
  await daemon.kill();
  await expect(page.getByRole('region', { name: 'Connection' })).toBeVisible();
  expect(await page.reload().catch((error: Error) => error.message)).toContain('ERR_CONNECTION_REFUSED');
  await daemon.startAgain();
  await open('#/robot');
  await expect(page.getByRole('meter')).toHaveCount(9);
  await expect(page.getByRole('region', { name: 'Connection' })).toHaveCount(0);
});
