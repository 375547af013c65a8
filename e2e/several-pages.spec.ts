/** Every page shows what the daemon knows, whoever changed it; a page that is not looked at costs nothing. */
import type { Page } from '@playwright/test';
import { card, complaintsOf, type Daemon, expect, openDashboard, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonUse: { of: 'hello-wave', apps: [sampleApp('hello_wave')] } });

/** More than any daemon serves. */
const TOO_MANY_STREAMS = 60;

test('two pages show the same, whichever of them was used', async ({ page, context, open, daemon }) => {
  const other = await context.newPage();
  const complaints = complaintsOf(other);
  await open('#/apps');
  await openDashboard(other, daemon, '#/');

  await page.getByRole('button', { name: 'Start hello_wave' }).click();
  await expect(other.getByRole('heading', { name: 'Hello wave' })).toBeVisible();
  await expect(other.getByRole('log', { name: 'Newest output' })).toContainText('Hello! Waving.');
  await other.getByRole('main').getByRole('button', { name: 'Stop hello_wave' }).click();
  await expect(card(page, 'hello_wave')).toContainText('ready');
  await expect(statusBar(page)).toContainText('No app runs');
  await expect(statusBar(other)).toContainText('No app runs');

  await openDashboard(other, daemon, '#/apps?tab=samples');
  await other.getByRole('button', { name: 'Install Dance' }).click();
  await expect(card(page, 'dance').getByRole('button', { name: 'Start dance' })).toBeEnabled();
  await expect(page.getByRole('tab', { name: 'Installed 2' })).toBeVisible();
  await expect(other.getByRole('tab', { name: 'Installed 2' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a page that is hidden or closed leaves no stream', async ({ page, context, open, daemon }) => {
  const alone = await streamsLeft(daemon);
  await open('#/robot');
  await expect.poll(() => streamsLeft(daemon)).toBe(alone - 1);

  await setHidden(page, true);
  await expect.poll(() => streamsLeft(daemon)).toBe(alone);
  await daemon.start('hello_wave');
  await setHidden(page, false);
  await expect(page.getByText('Moved by hello_wave')).toBeVisible();
  await expect.poll(() => streamsLeft(daemon)).toBe(alone - 1);
  await daemon.freeSlot();

  const other = await context.newPage();
  await openDashboard(other, daemon);
  await expect.poll(() => streamsLeft(daemon)).toBe(alone - 2);
  await other.close();
  await expect.poll(() => streamsLeft(daemon)).toBe(alone - 1);
  await page.goto('about:blank');
  await expect.poll(() => streamsLeft(daemon)).toBe(alone);
});

/** How many more streams the daemon would serve: taken until it refuses, then given back. */
async function streamsLeft(daemon: Daemon): Promise<number> {
  const enough = new AbortController();
  const answers = await Promise.all(
    Array.from({ length: TOO_MANY_STREAMS }, () => fetch(`${daemon.url}/api/events`, { signal: enough.signal })),
  );
  enough.abort();
  return answers.filter(({ status }) => status === 200).length;
}

/** Chromium without a screen hides no tab, so the page is told that it is, as the browser would tell it. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
