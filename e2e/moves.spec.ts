/** The robot's own moves on the Robot page: played, replaced and stopped with mouse and keyboard. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Daemon, expect, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'moves', apps: [sampleApp('hello_wave')] } });

test.beforeEach(async ({ daemon }) => {
  await daemon.freeSlot();
  await daemon.call('wakeUpRobot');
});

const live = (page: Page) => page.getByRole('region', { name: 'Live view' });
const buttons = (page: Page, kind: 'Emotions' | 'Dances') =>
  page.getByRole('list', { name: kind }).getByRole('button', { name: /^(Play|Stop) / });
const playing = async (daemon: Daemon) => (await daemon.robot()).robot.move;

test('a dance is played and stopped with the keyboard, and the focus stays', async ({ page, open, daemon }) => {
  const [dance] = (await daemon.call('listMoves')).filter(({ kind }) => kind === 'dance');
  await open('#/robot');
  const button = buttons(page, 'Dances').first();
  await expect(button).toHaveAccessibleName(/^Play /);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(button).toHaveAccessibleName(/^Stop /);
  await expect(button).toBeFocused();
  await expect(live(page)).toContainText('Playing ');
  expect(await playing(daemon)).toBe(dance?.name);
  await page.keyboard.press('Enter');
  await expect(button).toHaveAccessibleName(/^Play /);
  await expect(button).toBeFocused();
  expect(await playing(daemon)).toBeNull();
});

test('a digit plays a move and stops it, on its page only', async ({ page, open, daemon }) => {
  const [first] = await daemon.call('listMoves');
  const button = buttons(page, 'Emotions').first();
  await open('#/robot');
  await expect(button).toHaveAccessibleName(/^Play /);
  await page.keyboard.press('1');
  await expect(button).toHaveAccessibleName(/^Stop /);
  expect(await playing(daemon)).toBe(first?.name);
  await page.keyboard.press('1');
  await expect(button).toHaveAccessibleName(/^Play /);
  expect(await playing(daemon)).toBeNull();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run' }).press('1');
  await expect(page.getByRole('combobox', { name: 'Search or run' })).toHaveValue('1');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeFocused();
  await page.keyboard.press('1');
  // A move that had begun would still play.
  await page.getByRole('link', { name: 'Robot', exact: true }).click();
  await expect(button).toHaveAccessibleName(/^Play /);
  expect(await playing(daemon)).toBeNull();
});

test('a move that plays can be read in every size and theme', async ({ page, open, daemon }) => {
  const [, move] = await daemon.call('listMoves');
  await open('#/robot');
  // Its motion to the first sample lasts as long as the checks.
  await daemon.call('playMove', { params: { name: move?.name ?? '' }, body: { initialGotoS: 60 } });
  await expect(buttons(page, 'Emotions').nth(1)).toHaveAccessibleName(/^Stop /);
  await expectAccessible(page, 'robot-moves-playing');
  await buttons(page, 'Emotions').nth(1).click();
  await expect(buttons(page, 'Emotions').nth(1)).toHaveAccessibleName(/^Play /);
  expect(await playing(daemon)).toBeNull();
});

test('another move takes the place of the one that plays, and ends by itself', async ({ page, open, daemon }) => {
  const all = await daemon.call('listMoves');
  await open('#/robot');
  await expect(buttons(page, 'Emotions')).toHaveCount(all.filter(({ kind }) => kind === 'emotion').length);
  await buttons(page, 'Dances').first().click();
  await expect(buttons(page, 'Dances').first()).toHaveAccessibleName(/^Stop /);
  const shortest = all.reduce((best, move) =>
    move.kind === 'emotion' && move.durationS < best.durationS ? move : best,
  );
  const emotion = buttons(page, 'Emotions').nth(all.indexOf(shortest));
  await emotion.click();
  await expect(emotion).toHaveAccessibleName(/^Stop /);
  await expect(buttons(page, 'Dances').first()).toHaveAccessibleName(/^Play /);
  await expect(emotion).toHaveAccessibleName(/^Play /);
  expect(await playing(daemon)).toBeNull();
});

test('while the robot sleeps or an app has it, the moves are disabled with the reason', async ({
  page,
  open,
  daemon,
}) => {
  await daemon.call('putRobotToSleep');
  await open('#/robot');
  const panel = page.getByRole('region', { name: 'Moves' });
  const button = buttons(page, 'Emotions').first();
  await expect(button).toBeDisabled();
  await expect(panel).toContainText('The robot is asleep. Wake it first.');
  await page.getByRole('button', { name: 'Wake up' }).click();
  await expect(button).toBeEnabled();
  await daemon.startApp('hello_wave');
  await expect(panel).toContainText('Moves play once Hello wave ends.');
  await expect(button).toBeDisabled();
  await statusBar(page).getByRole('button', { name: 'Stop Hello wave' }).click();
  await expect(button).toBeEnabled();
});
