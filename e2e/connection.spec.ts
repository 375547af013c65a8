/** A page without its daemon says so, and recovers by itself. */
import { card, expect, fixtureApp, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'connection', apps: [sampleApp('hello_wave')] } });

test('the page reports a killed daemon at once, and reconnects without a reload', { tag: '@smoke' }, async ({
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
  // The other pages are loaded while the browser is idle.
  await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const wanted = [...document.querySelectorAll('link')]
      .map(({ href }) => href)
      .filter((href) => /\.(js|css)$/.test(href));
    return wanted.some((href) => /RobotPage.*js/.test(href)) && wanted.every((href) => loaded.includes(href));
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
  // Every page still shows the last state.
  await page.getByRole('link', { name: 'Robot', exact: true }).click();
  await page.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(page.getByRole('meter')).toHaveCount(9);
  await page.getByRole('link', { name: 'Apps' }).click();

  await daemon.restart();
  await expect(banner).toHaveCount(0);
  await expect(wave.getByRole('button', { name: 'Start Hello wave' })).toBeEnabled();
  await expect(wave).toContainText('interrupted');
  await expect(wave).toContainText('The daemon stopped while it ran.');
  await expect(statusBar(page)).toContainText('No app runs');
  await expect(statusBar(page)).toContainText('Awake');
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1);

  await wave.getByRole('button', { name: 'Start Hello wave' }).click();
  await expect(wave).toContainText('running');
  await daemon.freeSlot();
});

test('an install interrupted by the kill is shown as failed, and leaves no files', async ({ page, open, daemon }) => {
  await open('#/activity');
  const before = await daemon.traces();
  await daemon.call('installApp', { body: { url: fixtureApp('slow_to_import') } });
  const job = card(page, 'Install slow_to_import');
  await expect(job.getByRole('listitem').and(job.locator('[aria-current=step]'))).toContainText('Test the import');

  await daemon.kill();
  await expect(job.getByRole('button', { name: 'Cancel install of slow_to_import' })).toBeDisabled();
  await daemon.restart();
  // Does not wait for the countdown, which may end first.
  const banner = page.getByRole('region', { name: 'Connection' });
  await Promise.race([banner.getByRole('button', { name: 'Try now' }).click(), expect(banner).toHaveCount(0)]);
  await expect(job).toContainText('failed');
  await expect(job).toContainText('The daemon stopped before this was done. Installed apps are intact.');
  await expect(job.getByRole('button', { name: 'Try again to install slow_to_import' })).toBeEnabled();
  expect((await daemon.jobs())[0]).toMatchObject({ state: 'failed', failure: { reason: 'interrupted' } });
  expect(await daemon.traces()).toEqual(before);
  // The new daemon may still be searching for Python.
  await expect.poll(() => daemon.children()).toEqual([]);
});

test('a page reloaded without the daemon fails, and shows the right state once the daemon is back', async ({
  page,
  open,
  daemon,
}) => {
  await open('#/robot');
  await daemon.kill();
  await expect(page.getByRole('region', { name: 'Connection' })).toBeVisible();
  expect(await page.reload().catch((error: Error) => error.message)).toContain('ERR_CONNECTION_REFUSED');
  await daemon.restart();
  await open('#/robot?tab=diagnostics');
  await expect(page.getByRole('meter')).toHaveCount(9);
  await expect(page.getByRole('region', { name: 'Connection' })).toHaveCount(0);
});
