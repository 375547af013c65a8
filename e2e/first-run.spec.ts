/** The first run: one screen leads to a moving robot, and says what else there is. The clicks and keys are counted. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Daemon, expect, statusBar, test } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';
import { Keyboard } from './keyboard.ts';
import { Mouse } from './mouse.ts';

test.use({ daemonOptions: { name: 'first-run' } });
test.beforeEach(async ({ daemon }) => {
  await daemon.freeSlot();
  for (const { name } of await daemon.installed()) await daemon.call('removeApp', { params: { appName: name } });
  await daemon.call('wakeUpRobot');
});
test.afterEach(({ daemon }) => daemon.freeSlot());

const tryIt = (page: Page) => page.getByRole('button', { name: /^Try it: / });

/** A sample was installed and started, and moves the robot. */
async function expectMoving(page: Page, daemon: Daemon): Promise<void> {
  await expect(statusBar(page).getByRole('button', { name: /^Stop / })).toBeVisible();
  await expect.poll(async () => (await daemon.slot()).state).toBe('running');
  await expect.poll(async () => (await daemon.robot()).robot.atDefault).toBe(false);
  expect(await daemon.installed()).toHaveLength(1);
}

test('to a moving robot: 1 click', async ({ page, open, daemon }) => {
  const mouse = new Mouse();
  await open();
  await expect(page.getByRole('region', { name: 'Try your robot' })).toBeVisible();
  await expect(page.getByRole('dialog'), 'nothing is in the way').toHaveCount(0);
  await mouse.click(tryIt(page));
  await expectMoving(page, daemon);
  expect(mouse.clicks).toBe(1);
  await expect(page.getByRole('region', { name: 'Try your robot' })).toHaveCount(0);
});

test('to a moving robot: 6 keys', async ({ page, open, daemon }) => {
  const keyboard = new Keyboard(page);
  await open();
  await keyboard.afresh('#/');
  await keyboard.skipToContent();
  await keyboard.tabTo(tryIt(page));
  await keyboard.press('Enter');
  expect(keyboard.pressed).toBeLessThanOrEqual(6);
  await expectMoving(page, daemon);
  await keyboard.expectSomeFocus();
  await keyboard.press('Control+.');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
});

test('an app that was tried starts once, and not again when the page is loaded again', async ({
  page,
  open,
  daemon,
}) => {
  await open();
  await tryIt(page).click();
  await expectMoving(page, daemon);
  await daemon.freeSlot();
  const runs = await daemon.call('listRuns');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Start an app' })).toBeVisible();
  expect(await daemon.call('listRuns')).toEqual(runs);
  expect((await daemon.slot()).state).toBe('free');
});

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`the theme is chosen, and a tour is there for who asks for it, ${name}`, async ({ page, open }) => {
    const hand = handOn(page);
    await open();
    await hand.pick(page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }));
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    const tour = page.getByRole('dialog', { name: 'What is where' });
    await expect(tour).toHaveCount(0);
    await hand.press(page.getByRole('button', { name: 'Show me around' }));
    await expect(tour).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(tour).toHaveCount(0);
    await hand.expectFocus(page.getByRole('button', { name: 'Show me around' }));
    await hand.press(page.getByRole('button', { name: 'Show me around' }));
    await hand.press(tour.getByRole('link', { name: 'Models' }));
    await expect(tour).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
  });
}

test('the first screen and its tour can be read in every size and theme', async ({ page, open }) => {
  await open();
  await expect(tryIt(page)).toBeEnabled();
  await expectAccessible(page, 'first-run');
  await page.getByRole('button', { name: 'Show me around' }).click();
  await expect(page.getByRole('dialog', { name: 'What is where' })).toBeVisible();
  await expectAccessible(page, 'first-run-tour');
});
