/** Every page of the robot and the apps can be read and used: in both themes, on narrow and wide windows, without a mouse. */
import type { Page } from '@playwright/test';
import type { SimulatedFault } from '../daemon/contract/robot/robot.ts';
import type { FakeHub } from '../daemon/testing/fake-hub.ts';
import { expectAccessible } from './accessible.ts';
import { card, type Daemon, expect, fixtureApp, sampleApp, statusBar } from './fixtures.ts';
import { appFiles, test } from './with-hub.ts';

const mood = (version: string, run?: string) =>
  appFiles({ name: 'mood', title: 'Mood', version, emoji: '🎭', ...(run !== undefined && { run }) });

test.use({
  hubOptions: {
    name: 'looks',
    apps: [sampleApp('dance'), sampleApp('hello_wave')],
    spaces: [
      { id: 'anna/mood', files: mood('1.0.0'), likes: 420, createdAt: '2026-02-01T10:00:00Z' },
      ...['Metronome', 'Night light', 'Simon says', 'Weather'].map((title, index) => {
        const name = title.toLowerCase().replace(' ', '_');
        return { id: `a-rather-long-owner/${name}`, files: appFiles({ name, title }), likes: index };
      }),
    ],
  },
});

/** The pages to check, each with a text to wait for, while hello_wave runs and an install has failed. */
const views = {
  'home and the robot': [
    { name: 'home', hash: '#/', shows: 'Hello! Waving.' },
    { name: 'robot', hash: '#/robot', shows: 'Dances' },
    { name: 'robot-diagnostics', hash: '#/robot?tab=diagnostics', shows: 'stewart_3' },
  ],
  'the apps, here and on the hub': [
    { name: 'apps-installed', hash: '#/apps', shows: /· installed/ },
    { name: 'apps-samples', hash: '#/apps?tab=samples', shows: 'Hello wave' },
    { name: 'apps-discover', hash: '#/apps?tab=discover', shows: 'Night light' },
    { name: 'store-app', hash: '#/apps/store/anna/mood', shows: 'until it is stopped' },
  ],
  'an app, the settings and the activity': [
    { name: 'settings', hash: '#/settings', shows: 'Access token' },
    { name: 'app-about', hash: '#/apps/hello_wave', shows: 'Start when the robot wakes up' },
    { name: 'app-readme', hash: '#/apps/hello_wave?tab=readme', shows: 'The motion is in' },
    { name: 'app-output', hash: '#/apps/hello_wave?tab=output', shows: 'Hello! Waving.' },
    { name: 'activity', hash: '#/activity', shows: 'The app cannot be imported' },
  ],
};

test.beforeEach(async ({ daemon, ownPage }) => {
  await daemon.ensureInstalled(ownPage.folder);
  if ((await daemon.jobs()).every(({ state }) => state !== 'failed')) {
    expect(await daemon.install(fixtureApp('crashes_at_import'))).toMatchObject({ state: 'failed' });
  }
  if ((await daemon.slot()).state === 'free') await daemon.startApp('hello_wave');
  await expect.poll(async () => (await daemon.slot()).state).toBe('running');
});

for (const [group, pages] of Object.entries(views)) {
  const tag = group === 'home and the robot' ? ['@smoke'] : [];
  test(`${group} can be read in every size and theme`, { tag }, async ({ page, open }) => {
    for (const { name, hash, shows } of pages) {
      await open(hash);
      await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
      await expectAccessible(page, name);
    }
  });
}

test('a running app with a settings page can be read in every size and theme', async ({ page, open, daemon }) => {
  await daemon.freeSlot();
  await daemon.startApp('own_page');
  for (const [name, hash] of [
    ['home-with-settings', '#/'],
    ['app-with-settings', '#/apps/own_page'],
  ] as const) {
    await open(hash);
    await expect(page.getByRole('link', { name: 'Settings of Own page' })).toBeVisible();
    await expectAccessible(page, name);
  }
  await daemon.freeSlot();
});

test('a crashed app can be read in every size and theme', async ({ page, open, daemon, hub }) => {
  await daemon.freeSlot();
  await installMood(daemon, hub);
  await daemon.startApp('mood');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  const [{ runId } = { runId: '' }] = await daemon.call('listRuns', { query: { app: 'mood' } });
  for (const [name, hash, shows] of [
    ['home-needs-you', '#/', '1 update available'],
    ['apps-crashed', '#/apps', 'See its output'], // before it counts as seen
    ['app-crashed', '#/apps/mood', 'Lines of its output'],
    ['app-run-output', `#/apps/mood?tab=runs&run=${runId}`, 'in a mood'],
  ] as const) {
    await open(hash);
    await expect(page.getByText(shows).first()).toBeVisible();
    await expectAccessible(page, name);
  }
});

test('versions, variables, the reset and the removal of an app can be read in every size and theme', async ({
  page,
  open,
  daemon,
  hub,
}) => {
  await installMood(daemon, hub);
  await open('#/apps/mood?tab=versions');
  await expect(page.getByText('update available')).toBeVisible();
  await expectAccessible(page, 'app-versions');
  await open('#/apps/mood?tab=variables');
  await expect(page.getByText('stored, not shown')).toBeVisible();
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await expectAccessible(page, 'app-settings');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'More for mood' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'app-menu');
  await page.getByRole('menuitem', { name: 'Reset…' }).click();
  await expect(page.getByRole('dialog').getByText(/^Removes 2 variables: /)).toBeVisible();
  await expectAccessible(page, 'app-reset');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByText('Technical details').click();
  await expect(page.getByText('Main in mood.main')).toBeVisible();
  await expectAccessible(page, 'app-details');
  await page.getByRole('button', { name: 'More for mood' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await expect(page.getByRole('button', { name: /^Remove Mood and its/ })).toBeVisible();
  await expectAccessible(page, 'app-remove');
});

/** Installs mood with variables, updated to a version that crashes; the hub has a newer one. */
async function installMood(daemon: Daemon, hub: FakeHub): Promise<void> {
  if ((await daemon.installed()).some(({ name }) => name === 'mood')) return;
  const url = `${hub.url}/spaces/anna/mood`;
  expect(await daemon.install(url)).toMatchObject({ state: 'done' });
  await hub.commit('anna/mood', mood('1.1.0', 'print("in a mood", flush=True)\nraise KeyError("a step")'));
  expect(await daemon.install(url)).toMatchObject({ state: 'done' });
  await hub.commit('anna/mood', mood('1.2.0'));
  await daemon.call('checkForUpdates');
  const set = (variable: string, body: { value: string; secret: boolean }) =>
    daemon.call('setAppVariable', { params: { appName: 'mood', variable }, body });
  await set('MOOD', { value: 'merry', secret: false });
  await set('API_KEY', { value: 'quiet', secret: true });
}

test('an unreachable hub and a refused address can be read in every size and theme', async ({ page, open, hub }) => {
  await open('#/apps?tab=discover');
  await expect(card(page, 'a-rather-long-owner/night_light')).toBeVisible();
  hub.misbehave({ garbage: true });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(/You can browse the last copy/)).toBeVisible();
  await expectAccessible(page, 'apps-discover-offline');
  hub.misbehave({});
  await page.getByRole('button', { name: 'Install…' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('my_app');
  await page.getByRole('textbox', { name: 'Address' }).press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'install-refused');
});

test('the choice to replace an app and a slow stop can be read in every size and theme', async ({
  page,
  open,
  daemon,
}) => {
  await daemon.freeSlot();
  await daemon.ensureInstalled(fixtureApp('ignores_sigint'));
  await daemon.startApp('ignores_sigint');
  await expect.poll(async () => (await daemon.slot()).state).toBe('running');
  await open('#/apps');
  await page.getByRole('button', { name: 'Start Dance' }).click();
  await expect(page.getByRole('button', { name: 'Replace Ignores SIGINT' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop Ignores SIGINT' }).first().click();
  await expect(page.getByRole('button', { name: 'Force stop Ignores SIGINT' })).toBeVisible();
  await expectAccessible(page, 'apps-stopping');
  await daemon.freeSlot();
});

test('a running install can be read in every size and theme', async ({ page, open, daemon }) => {
  const { id } = await daemon.call('installApp', { body: { url: fixtureApp('slow_to_import') } });
  for (const [name, hash] of [
    ['installing', '#/apps'],
    ['activity-running', '#/activity'],
  ] as const) {
    await open(hash);
    await expect(page.getByRole('main').getByText('Test the import')).toBeVisible();
    await expectAccessible(page, name);
  }
  await daemon.call('cancelJob', { params: { jobId: id } });
});

test('a page that never connected claims nothing, and can be read in every size and theme', async ({
  page,
  daemon,
}) => {
  // Without events, the page shows its frame and the connection banner only.
  await page.route('**/api/events', (route) => route.abort());
  await page.goto(`${daemon.url}/`);
  await expect(page.getByRole('region', { name: 'Connection' })).toBeVisible();
  await expect(statusBar(page)).toContainText('Robot unknown');
  await expect(statusBar(page)).not.toContainText(/No app runs|No jobs/);
  await expectAccessible(page, 'never-connected');
});

test('the faults of a robot can be read in every size and theme', async ({ page, open, daemon }) => {
  await daemon.freeSlot();
  const faults = (...kinds: SimulatedFault[]) => daemon.call('setSimulatedFaults', { body: { faults: kinds } });
  for (const [name, fault, shows] of [
    ['unplugged', { kind: 'unplugged' }, 'unplugged'],
    ['overload', { kind: 'overload', motor: 'stewart_3' }, 'overloaded'],
  ] as const) {
    await daemon.call('wakeUpRobot');
    await faults(fault);
    for (const [place, hash] of [
      ['robot', '#/robot'],
      ['home', '#/'],
    ] as const) {
      await open(hash);
      await expect(page.getByText(shows).first()).toBeVisible();
      await expectAccessible(page, `${place}-${name}`);
    }
    await faults();
  }
  await daemon.call('wakeUpRobot');
});

test('an app is started and stopped by keyboard alone', async ({ page, open, daemon }) => {
  await daemon.freeSlot();
  await open('#/apps');
  const wave = card(page, 'Hello wave');
  const start = wave.getByRole('button', { name: 'Start Hello wave' });
  await expect(start).toBeEnabled();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Start Hello wave');
  await expect(start).toBeFocused();
  expect(await start.evaluate((button) => getComputedStyle(button).outlineStyle), 'the focus ring').toBe('solid');
  await page.keyboard.press('Enter');
  await expect(wave).toContainText('running');
  await tabTo(page, 'Stop Hello wave');
  await page.keyboard.press('Enter');
  await expect(wave).toContainText('ready');
  await expect(statusBar(page)).toContainText('No app runs');
});

/** Presses Tab until the element with that label has the focus. @throws Error after 30 presses */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    if (focused === name) return;
  }
  throw new Error(`The Tab key does not lead to "${name}"`);
}
