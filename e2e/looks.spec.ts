/**
 * Every page can be read and used: in both themes, on narrow and wide windows, without a mouse.
 * With E2E_PICTURES set, pictures of all of them go to test-results/pictures.
 */
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Job } from '../daemon/contract/jobs.ts';
import type { SimulatedFault } from '../daemon/contract/robot.ts';
import { card, expect, fixtureApp, sampleApp, statusBar, test } from './fixtures.ts';

test.use({ daemonUse: { of: 'looks', apps: [sampleApp('dance'), sampleApp('hello_wave')] } });

const sizes = [
  { width: 420, height: 900 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
];

/** What is looked at, each with what must be there first, while hello_wave runs and an install has failed. */
const views = [
  { name: 'home', hash: '#/', shows: 'Hello! Waving.' },
  { name: 'robot', hash: '#/robot', shows: 'Moved by hello_wave' },
  { name: 'robot-motors', hash: '#/robot?tab=motors', shows: 'stewart_3' },
  { name: 'apps-installed', hash: '#/apps', shows: /· installed/ },
  { name: 'apps-samples', hash: '#/apps?tab=samples', shows: 'Hello wave' },
  { name: 'app-about', hash: '#/apps/hello_wave', shows: 'HelloWave in hello_wave.main' },
  { name: 'app-output', hash: '#/apps/hello_wave?tab=output', shows: 'Hello! Waving.' },
  { name: 'activity', hash: '#/activity', shows: 'The app cannot be imported' },
];

test.beforeEach(async ({ daemon, ownPage }) => {
  await daemon.have(ownPage.folder);
  if ((await daemon.jobs()).every(({ state }) => state !== 'failed')) {
    expect(await daemon.install(fixtureApp('crashes_at_import'))).toMatchObject({ state: 'failed' });
  }
  if ((await daemon.slot()).state === 'free') await daemon.start('hello_wave');
  await expect.poll(async () => (await daemon.slot()).state).toBe('running');
});

for (const { name, hash, shows } of views) {
  test(`${name} can be read in every size and theme`, async ({ page, open }) => {
    await open(hash);
    await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
    await expectGoodLooks(page, name);
  });
}

test('a running app with a page of its own can be read in every size and theme', async ({ page, open, daemon }) => {
  await daemon.freeSlot();
  await daemon.start('own_page');
  for (const [name, hash] of [
    ['home-with-settings', '#/'],
    ['app-with-settings', '#/apps/own_page'],
  ] as const) {
    await open(hash);
    await expect(page.getByRole('link', { name: 'Settings of own_page' })).toBeVisible();
    await expectGoodLooks(page, name);
  }
  await daemon.freeSlot();
});

test('an install under way can be read in every size and theme', async ({ page, open, daemon }) => {
  const { id } = await daemon.post<Job>('/api/apps/install', { url: fixtureApp('slow_to_import') });
  for (const [name, hash] of [
    ['installing', '#/apps'],
    ['activity-running', '#/activity'],
  ] as const) {
    await open(hash);
    await expect(page.getByRole('main').getByText('Try to import it')).toBeVisible();
    await expectGoodLooks(page, name);
  }
  await daemon.post(`/api/jobs/${id}/cancel`);
});

test('a page that knows nothing yet claims nothing, and can be read in every size and theme', async ({
  page,
  daemon,
}) => {
  // A page whose daemon answers nothing: what it has is the frame and the words about it.
  await page.route('**/api/events', (route) => route.abort());
  await page.goto(`${daemon.url}/`);
  await expect(page.getByRole('region', { name: 'Connection' })).toBeVisible();
  await expect(statusBar(page)).toContainText('Robot unknown');
  await expect(statusBar(page)).not.toContainText(/No app runs|No jobs/);
  await expectGoodLooks(page, 'never-connected');
});

test('a robot in trouble', async ({ page, open, daemon }) => {
  await daemon.freeSlot();
  const faults = (...kinds: SimulatedFault[]) => daemon.put('/api/robot/simulation/faults', { faults: kinds });
  for (const [name, fault, shows] of [
    ['unplugged', { kind: 'unplugged' }, 'unplugged'],
    ['overload', { kind: 'overload', motor: 'stewart_3' }, 'pushed too hard'],
  ] as const) {
    await daemon.post('/api/robot/wake-up');
    await faults(fault);
    for (const [place, hash] of [
      ['robot', '#/robot'],
      ['home', '#/'],
    ] as const) {
      await open(hash);
      await expect(page.getByText(shows).first()).toBeVisible();
      await expectGoodLooks(page, `${place}-${name}`);
    }
    await faults();
  }
  await daemon.post('/api/robot/wake-up');
});

test('an app is started and stopped by keyboard alone', async ({ page, open, daemon }) => {
  await daemon.freeSlot();
  await open('#/apps');
  const wave = card(page, 'hello_wave');
  const start = wave.getByRole('button', { name: 'Start hello_wave' });
  await expect(start).toBeEnabled();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Start hello_wave');
  await expect(start).toBeFocused();
  expect(await start.evaluate((button) => getComputedStyle(button).outlineStyle), 'the ring of the focus').toBe(
    'solid',
  );
  await page.keyboard.press('Enter');
  await expect(wave).toContainText('running');
  await tabTo(page, 'Stop hello_wave');
  await page.keyboard.press('Enter');
  await expect(wave).toContainText('ready');
  await expect(statusBar(page)).toContainText('No app runs');
});

/** Tabs forward until the element of that name has the focus, from wherever the focus is. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    if (focused === name) return;
  }
  throw new Error(`The Tab key does not lead to "${name}"`);
}

async function expectGoodLooks(page: Page, name: string): Promise<void> {
  // What axe is made of is half a megabyte, and the page keeps it from the first look on.
  let kept: { axeSource?: string } = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of sizes) {
      const where = `${name}-${colorScheme}-${size.width}`;
      await page.setViewportSize(size);
      expect(await page.evaluate(overflowing), `what is wider than its place: ${where}`).toEqual([]);
      const axe = new AxeBuilder({ page, ...kept }).setLegacyMode().options({ resultTypes: ['violations'] });
      const { violations } = await axe.withTags(['wcag2a', 'wcag2aa']).analyze();
      kept = { axeSource: ';' };
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        where,
      ).toEqual([]);
      if (process.env['E2E_PICTURES']) {
        await page.screenshot({ path: join('test-results', 'pictures', `${where}.png`) });
      }
    }
  }
}

/** Runs in the page: the parts of the frame in which one would have to scroll sideways. */
function overflowing(): string[] {
  const parts = [document.documentElement, ...document.querySelectorAll('main, footer, nav')];
  return parts
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, scrollWidth, clientWidth }) => `${tagName} ${scrollWidth} > ${clientWidth}`);
}
