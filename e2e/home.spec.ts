/** Home leads with the robot and the next step. What needs attention is one list, there and in the bell; Activity keeps the history. */
import type { Locator, Page } from '@playwright/test';
import type { FakeHub } from '../daemon/testing/fake-hub.ts';
import { card, type Daemon, expect, fixtureApp, statusBar } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';
import { appFiles, test } from './with-hub.ts';

const mood = (version: string) => appFiles({ name: 'mood', title: 'Mood', version });

test.use({
  hubOptions: {
    name: 'home',
    apps: [fixtureApp('crashes'), fixtureApp('polite')],
    spaces: [{ id: 'anna/mood', files: mood('1.0.0') }],
  },
});
test.beforeEach(async ({ daemon }) => {
  await daemon.freeSlot();
  await daemon.call('wakeUpRobot');
});
test.afterEach(({ daemon }) => daemon.freeSlot());

const bell = (page: Page) => statusBar(page).getByRole('button', { name: /^Notifications/ });
const inBell = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const onHome = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Needs attention' });
/** Of the list on Home or in the bell. */
const groups = (list: Locator) => list.getByRole('heading', { level: 3 });
const nextStep = (page: Page) => page.getByRole('region', { name: 'Start an app' });
const toPage = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });

/** Lets an app crash, which nobody sees. */
async function crash(daemon: Daemon): Promise<void> {
  await daemon.startApp('crashes');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
}

/** A crash, a failed install and an update. */
async function needAttention(daemon: Daemon, hub: FakeHub): Promise<void> {
  await crash(daemon);
  expect(await daemon.install(fixtureApp('crashes_at_import'))).toMatchObject({ state: 'failed' });
  if ((await daemon.installed()).every(({ name }) => name !== 'mood')) {
    expect(await daemon.install(`${hub.url}/spaces/anna/mood`)).toMatchObject({ state: 'done' });
    await hub.commit('anna/mood', mood('1.1.0'));
  }
  await daemon.call('checkForUpdates');
}

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`the robot is put to sleep and woken on Home, ${name}`, async ({ page, open, daemon }) => {
    const hand = handOn(page);
    await open();
    const robot = page.getByRole('region', { name: 'The robot', exact: true });
    const sleep = robot.getByRole('button', { name: 'Put to sleep' });
    const wake = robot.getByRole('button', { name: 'Wake up' });
    await hand.press(sleep);
    await expect(robot).toContainText('Asleep');
    await hand.expectFocus(wake);
    expect((await daemon.robot()).robot).toMatchObject({ state: 'asleep', torque: false });
    await hand.press(wake);
    await expect(robot).toContainText('At its default position');
    await hand.expectFocus(sleep);
    await expect(statusBar(page)).toContainText('Awake');
  });

  test(`what runs has one control on Home, the last good app comes afterwards, and never what has crashed, ${name}`, async ({
    page,
    open,
    daemon,
  }) => {
    await crash(daemon);
    const hand = handOn(page);
    const start = nextStep(page).getByRole('button', { name: /^Start / });
    const stop = page.getByRole('button', { name: 'Stop Polite', exact: true });
    await open();
    await expect(start, 'one next step').toHaveCount(1);
    await expect(start).not.toHaveAccessibleName('Start Crashes');
    await daemon.startApp('polite');
    await expect(nextStep(page)).toHaveCount(0);
    await expect(stop, 'in its card, and not in the status bar, too').toHaveCount(1);
    await hand.press(stop);
    await expect(start).toHaveAccessibleName('Start Polite');
    await hand.press(start);
    await expect(stop).toHaveCount(1);
    await hand.press(stop);
    await expect(start).toHaveAccessibleName('Start Polite');
    await expect(onHome(page), 'the crash is there until somebody sees it').toContainText('flux is not compensated');
  });

  test(`one list tells what needs attention: opened it counts as read, dismissed it is gone, and Activity keeps it, ${name}`, async ({
    page,
    open,
    daemon,
    hub,
  }) => {
    await needAttention(daemon, hub);
    const hand = handOn(page);
    const expectList = async (list: Locator) => {
      await expect(groups(list)).toHaveText(['Apps', 'Jobs', 'Updates']);
      for (const text of ['flux is not compensated', 'The install of crashes_at_import failed', '1 update available']) {
        await expect(list).toContainText(text);
      }
    };
    await open();
    await expectList(onHome(page));
    await expect(bell(page)).toHaveAccessibleName('Notifications, 3 new');
    await hand.press(bell(page));
    await expectList(inBell(page));
    await page.keyboard.press('Escape');
    await expect(inBell(page)).toHaveCount(0);
    await hand.expectFocus(bell(page));
    await expect(bell(page)).toHaveAccessibleName('Notifications');
    await page.reload();
    await expectList(onHome(page));
    await expect(bell(page), 'read').toHaveAccessibleName('Notifications');

    await hand.press(bell(page));
    await hand.press(inBell(page).getByRole('link', { name: 'See the log' }));
    await expect(inBell(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
    await hand.press(toPage(page, 'Home'));
    await hand.press(onHome(page).getByRole('button', { name: 'Dismiss all' }));
    await expect(onHome(page)).toHaveCount(0);
    await hand.press(bell(page));
    await expect(inBell(page)).toContainText('Nothing new');
    await page.keyboard.press('Escape');
    await hand.press(toPage(page, 'Activity'));
    await expect(card(page, 'Install crashes_at_import').first()).toContainText('failed');
  });
}

test('the status bar counts the jobs under way, and says nothing while there are none', async ({
  page,
  open,
  daemon,
}) => {
  const jobs = statusBar(page).getByRole('link', { name: /job/ });
  await open();
  await expect(statusBar(page)).toContainText('No app runs');
  await expect(jobs).toHaveCount(0);
  const { id } = await daemon.call('installApp', { body: { url: fixtureApp('slow_to_import') } });
  await expect(jobs).toHaveText('1 job');
  await daemon.call('cancelJob', { params: { jobId: id } });
  await expect(jobs).toHaveCount(0);
});
