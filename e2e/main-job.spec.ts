/** "Run a single user-written Python application at a time", from the dashboard. */
import type { Page } from '@playwright/test';
import { card, expect, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'main-job' } });

const joints = (page: Page) =>
  page.getByRole('meter').evaluateAll((all) => all.map(({ ariaValueNow }) => Number(ariaValueNow)));

test('a sample is installed, started, seen to move the robot, and stopped', { tag: '@smoke' }, async ({
  page,
  open,
  daemon,
}) => {
  await open();
  await expect(page.getByRole('heading', { name: 'Try your robot' })).toBeVisible();
  await page.getByRole('link', { name: 'Robot', exact: true }).click();
  await page.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(page.getByRole('meter')).toHaveCount(9);
  await expect(page.getByText('At its default position')).toBeVisible();
  const atDefault = await joints(page);

  // Installed, with its steps shown on the way.
  await page.getByRole('navigation').getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('link', { name: 'See the samples' }).click();
  const steps = await recordProgress(page, 'Installing Hello wave');
  await page.getByRole('button', { name: 'Install Hello wave' }).click();
  await expect(page.getByRole('button', { name: 'Start Hello wave' })).toBeEnabled();
  expect((await steps()).filter((step) => /^step \d of 7: /.test(step)).length).toBeGreaterThan(2);
  await page.getByRole('button', { name: 'Install Dance' }).click();
  await expect(page.getByRole('button', { name: 'Start Dance' })).toBeEnabled();

  // Started: it runs, it writes, the robot moves.
  await page.getByRole('button', { name: 'Start Hello wave' }).click();
  await expect(card(page, 'Hello wave')).toContainText('running');
  await card(page, 'Hello wave').getByRole('link', { name: 'Hello wave' }).click();
  await page.getByRole('tab', { name: 'Output' }).click();
  await expect(page.getByRole('log', { name: 'Output' })).toContainText('Hello! Waving.');
  await page.getByRole('link', { name: 'Robot', exact: true }).click();
  await page.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(page.getByText('Moved by Hello wave')).toBeVisible();
  const antenna = page.getByRole('meter', { name: 'Right antenna' });
  const drawn = page.getByRole('img', { name: 'The robot, drawn from its joints' });
  const [there, picture] = [await antenna.getAttribute('aria-valuetext'), await drawn.innerHTML()];
  await expect(antenna).not.toHaveAttribute('aria-valuetext', there ?? '');
  await expect.poll(() => drawn.innerHTML()).not.toBe(picture);

  // Starting another app does not replace the running one.
  await page.getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('button', { name: 'Start Dance' }).click();
  await expect(card(page, 'Dance').getByRole('alert')).toContainText('Hello wave is running.');
  await expect(card(page, 'Dance')).toContainText('ready');
  await expect(card(page, 'Hello wave')).toContainText('running');

  // Stopped, from the status bar; the robot is back where it was.
  await statusBar(page).getByRole('button', { name: 'Stop Hello wave' }).click();
  await expect(statusBar(page)).toContainText('No app runs');
  await expect(card(page, 'Hello wave')).toContainText('ready');
  await expect(card(page, 'Dance').getByRole('alert')).toHaveCount(0);
  await page.getByRole('link', { name: 'Robot', exact: true }).click();
  await page.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(page.getByText('At its default position')).toBeVisible();
  for (const [joint, angle] of atDefault.entries()) {
    await expect.poll(async () => Math.abs(((await joints(page))[joint] ?? 0) - angle)).toBeLessThan(0.25); // it wavers a little
  }
  await expect(page.getByText('Awake').first()).toBeVisible();
  expect(await daemon.children()).toEqual([]);
});

/** Records the texts of a progress bar from now on: an install ends before a test could read it twice. */
async function recordProgress(page: Page, name: string): Promise<() => Promise<string[]>> {
  const recorded = await page.evaluateHandle((label) => {
    const texts: string[] = [];
    const record = () => {
      const text = document.querySelector(`[role=progressbar][aria-label="${label}"]`)?.getAttribute('aria-valuetext');
      if (text && texts.at(-1) !== text) texts.push(text);
    };
    new MutationObserver(record).observe(document.body, { subtree: true, childList: true, attributes: true });
    return texts;
  }, name);
  return () => recorded.jsonValue();
}
