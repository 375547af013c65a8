/** All pages show the same state, and a hidden page holds no event stream. */
import type { Page } from '@playwright/test';
import { card, collectPageErrors, type Daemon, expect, openDashboard, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'hello-wave', apps: [sampleApp('hello_wave')] } });

/** More than a daemon serves. */
const TOO_MANY_STREAMS = 60;

test('a change on either of two pages is shown on both', async ({ page, context, open, daemon }) => {
  const other = await context.newPage();
  const pageErrors = collectPageErrors(other);
  await open('#/apps');
  await openDashboard(other, daemon, '#/');

  await page.getByRole('button', { name: 'Start Hello wave' }).click();
  await expect(other.getByRole('heading', { name: 'Hello wave' })).toBeVisible();
  await expect(other.getByRole('log', { name: 'Newest output' })).toContainText('Hello! Waving.');
  await other.getByRole('main').getByRole('button', { name: 'Stop Hello wave' }).click();
  await expect(card(page, 'Hello wave')).toContainText('ready');
  await expect(statusBar(page)).toContainText('No app runs');
  await expect(statusBar(other)).toContainText('No app runs');

  await openDashboard(other, daemon, '#/apps?tab=samples');
  await other.getByRole('button', { name: 'Install Dance' }).click();
  await expect(card(page, 'Dance').getByRole('button', { name: 'Start Dance' })).toBeEnabled();
  await expect(page.getByRole('tab', { name: 'Installed 2' })).toBeVisible();
  await expect(other.getByRole('tab', { name: 'Installed 2' })).toBeVisible();
  expect(pageErrors).toEqual([]);
});

test('a hidden or closed page holds no stream', async ({ page, context, open, daemon }) => {
  const alone = await streamsLeft(daemon);
  await open('#/robot');
  await expect.poll(() => streamsLeft(daemon)).toBe(alone - 1);

  await setHidden(page, true);
  await expect.poll(() => streamsLeft(daemon)).toBe(alone);
  await daemon.startApp('hello_wave');
  await setHidden(page, false);
  await expect(page.getByText('Moved by Hello wave')).toBeVisible();
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

/** Counts the streams that the daemon would still serve, by opening streams until it refuses, then closing them. */
async function streamsLeft(daemon: Daemon): Promise<number> {
  const enough = new AbortController();
  const answers = await Promise.all(
    Array.from({ length: TOO_MANY_STREAMS }, () => fetch(`${daemon.url}/api/events`, { signal: enough.signal })),
  );
  enough.abort();
  return answers.filter(({ status }) => status === 200).length;
}

/** Simulates a hidden tab with the page's own events, since headless Chromium never hides one. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
