/** The first run: one screen leads to a moving robot, and says what else there is. The clicks and keys are counted. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Daemon, expect, fixtureApp, test } from './fixtures.ts';
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
  await expect(page.getByRole('main').getByRole('button', { name: /^Stop / })).toBeVisible();
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
    const tour = page.getByRole('region', { name: 'What is where' });
    const around = page.getByRole('button', { name: /^(Show me around|Hide the tour)$/ });
    await expect(tour).toHaveCount(0);
    await hand.press(around);
    await expect(tour).toBeInViewport();
    await expect(around).toHaveText('Hide the tour');
    await hand.press(around);
    await expect(tour).toHaveCount(0);
    await hand.expectFocus(around);
    await hand.press(around);
    await hand.press(tour.getByRole('link', { name: 'Models' }));
    await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
  });
}

/** The only app is one that crashed, which nobody has seen. */
async function onlyCrashed(daemon: Daemon): Promise<void> {
  await daemon.ensureInstalled(fixtureApp('crashes'));
  await daemon.startApp('crashes');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
}
const needs = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Needs attention' });

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`the only app is looked into after it crashed, and not offered to start, also once the crash is seen, ${name}`, async ({
    page,
    open,
    daemon,
  }) => {
    await onlyCrashed(daemon);
    const hand = handOn(page);
    const next = page.getByRole('region', { name: 'Look into a crash' });
    await open();
    await expect(next).toContainText('flux is not compensated');
    await expect(needs(page), 'the next step tells it').toHaveCount(0);
    await hand.press(next.getByRole('link', { name: 'See why: Crashes' }));
    await expect(page.getByRole('region', { name: 'Crashes', exact: true })).toContainText('flux is not compensated');
    await hand.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }));
    await expect(next).toBeVisible();
    await expect(needs(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Start / })).toHaveCount(0);
  });
}

test('Home after its only app crashed can be read in every size and theme', async ({ page, open, daemon }) => {
  await onlyCrashed(daemon);
  await open();
  await expect(page.getByRole('region', { name: 'Look into a crash' })).toContainText('flux is not compensated');
  await expectAccessible(page, 'home-crashed');
});

test('the first screen and its tour can be read in every size and theme', async ({ page, open }) => {
  await open();
  await expect(tryIt(page)).toBeEnabled();
  await expectAccessible(page, 'first-run');
  await page.getByRole('button', { name: 'Show me around' }).click();
  await expect(page.getByRole('region', { name: 'What is where' })).toBeVisible();
  await expectAccessible(page, 'first-run-tour');
});
