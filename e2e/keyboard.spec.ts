/**
 * The main journeys by keyboard alone, with the focus asserted after every step, and their keys counted. The most that a
 * journey may need is half of what a first-time owner needed before there was a palette.
 */

import { expectAccessible } from './accessible.ts';
import { addCatalogModel } from './catalog-model.ts';
import { newDeployToken } from './deploy-token.ts';
import { expect, fixtureApp } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import { test as base } from './with-hub.ts';

const test = base.extend<{ keyboard: Keyboard }>({ keyboard: ({ page }, use) => use(new Keyboard(page)) });

test.use({ hubOptions: { name: 'keyboard', spaces: [], apps: [fixtureApp('silent'), fixtureApp('crashes')] } });
test.afterEach(({ daemon }) => daemon.freeSlot());

test('install: a folder is installed and started with at most 6 keys', async ({ page, open, keyboard }) => {
  await open();
  await keyboard.press('Control+o');
  await expect(page.getByRole('textbox', { name: 'Address' })).toBeFocused();
  await keyboard.type(fixtureApp('polite'));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Start Polite' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await keyboard.expectSomeFocus();
  await expect(page.getByRole('article', { name: 'Polite' })).toContainText('running');
  expect(keyboard.pressed).toBeLessThanOrEqual(6);
});

test('install: of a sample, the focus goes from Install to its progress and to Start, and back from Stop', async ({
  page,
  open,
  keyboard,
}) => {
  await open('#/apps?tab=samples');
  await keyboard.tabTo(page.getByRole('button', { name: 'Install Hello wave' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Start Hello wave' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('article').getByRole('button', { name: 'Stop Hello wave' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Start Hello wave' })).toBeFocused();
});

test('start: an app is started from anywhere with 3 keys, and stopped with one', { tag: '@smoke' }, async ({
  page,
  open,
  keyboard,
  daemon,
}) => {
  await open('#/settings');
  await keyboard.run('start silent', 'Start Silent');
  await expect(page.getByRole('heading', { level: 1, name: 'Silent' })).toBeFocused();
  await expect.poll(async () => (await daemon.slot()).state).toBe('starting');
  expect(keyboard.pressed).toBe(3);
  await keyboard.press('Control+.');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  await keyboard.expectSomeFocus();
});

test('a held key presses Start, and not Stop in its place', async ({ page, open, keyboard, daemon }) => {
  await open('#/apps/silent');
  const main = page.getByRole('main');
  const start = main.getByRole('button', { name: 'Start Silent', exact: true });
  const stop = main.getByRole('button', { name: 'Stop Silent', exact: true });
  const hold = async (key: string) => {
    for (let repeats = 0; repeats < 5; repeats++) await page.keyboard.down(key);
  };
  await keyboard.tabTo(start);
  await page.keyboard.down('Enter');
  await expect(stop).toBeFocused();
  await hold('Enter');
  await page.keyboard.up('Enter');
  await expect.poll(async () => (await daemon.slot()).state).toBe('starting');
  await expect(stop).toBeEnabled();
  await daemon.freeSlot();
  await expect(start).toBeFocused();

  // Space presses when it is released; it may be held longer than the press takes.
  await hold('Space');
  await page.keyboard.up('Space');
  await expect(stop).toBeFocused();
  await hold('Space');
  await daemon.freeSlot();
  await expect(start).toBeFocused();
  await page.keyboard.up('Space');
  await keyboard.expectSomeFocus();
  expect((await daemon.slot()).state).toBe('free');
});

test('replace: a running app is replaced with at most 17 keys', async ({ page, open, keyboard, daemon }) => {
  await daemon.startApp('silent');
  await open();
  await keyboard.run('start crashes', 'Start Crashes');
  await expect(page.getByRole('button', { name: /^Replace/ })).toBeFocused();
  await keyboard.press('Escape');
  await keyboard.tabTo(page.getByRole('button', { name: 'Cancel' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'is running' })).toHaveCount(0);
  await keyboard.expectSomeFocus();
  const main = page.getByRole('main');
  await keyboard.tabTo(main.getByRole('button', { name: 'Start Crashes', exact: true }));
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Replace/ })).toBeFocused();
  await keyboard.press('Enter');
  await expect(main.getByText(/the flux is not compensated/).first()).toBeVisible();
  await expect(main.getByRole('button', { name: /^(Start|Restart) Crashes/ }).first()).toBeFocused();
  expect(keyboard.pressed).toBeLessThanOrEqual(17);
});

test('crash: its cause is read and its output opened', async ({ page, open, keyboard }) => {
  await open();
  await keyboard.run('start crashes', 'Start Crashes');
  await expect(
    page
      .getByRole('main')
      .getByText(/the flux is not compensated/)
      .first(),
  ).toBeVisible();
  await keyboard.expectSomeFocus();
  await keyboard.tabTo(page.getByRole('link', { name: 'See its output' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveURL(/tab=runs/);
  expect(keyboard.pressed).toBeLessThanOrEqual(12);
});

test('deploy: a model is deployed with at most 15 keys, after a sign-in', async ({
  page,
  open,
  keyboard,
  daemon,
  hub,
}) => {
  const token = await newDeployToken(daemon);
  const { models } = await daemon.call('listModels', { query: { fits: true, sort: 'smallest', limit: 1 } });
  const [model = { repoId: 'none', modelName: 'none' }] = models;
  await addCatalogModel(hub, daemon, model.repoId);
  await open();
  await keyboard.run(model.repoId, model.repoId);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await keyboard.tabTo(page.getByRole('button', { name: `Deploy ${model.modelName}` }));
  await keyboard.press('Enter');
  await expect(page.getByLabel('Token of the daemon')).toBeFocused();
  await keyboard.type(token);
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeFocused();
  expect(keyboard.pressed).toBeLessThanOrEqual(15);

  // Deleted: the focus goes from the dialog to the page, though its opener is gone.
  await keyboard.tabTo(page.getByRole('button', { name: /^Pause/ }));
  await keyboard.press('Enter');
  // Resume takes the place of Pause. It stood before it already if the endpoint had failed by then; Delete follows.
  const next = page.getByRole('button', { name: /^(Resume|Delete)/ });
  await expect(next.and(page.locator(':focus'))).toBeVisible();
  await keyboard.tabTo(page.getByRole('button', { name: /^Delete/ }));
  await keyboard.press('Enter');
  const asked = page.getByRole('dialog').getByRole('textbox', { name: /^Type .* to delete it$/ });
  await expect(asked).toBeFocused();
  const [endpoint] = (await daemon.call('listOwnEndpoints')).endpoints;
  await keyboard.type(endpoint?.endpoint.name ?? '');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await keyboard.expectSomeFocus();
});

test('remove: an app is removed with at most 5 keys', async ({ page, open, keyboard, daemon }) => {
  await daemon.ensureInstalled(fixtureApp('polite'));
  await open();
  await keyboard.run('remove polite', 'Remove Polite');
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: /^Remove Polite/ })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeFocused();
  expect((await daemon.installed()).map(({ name }) => name)).not.toContain('polite');
  expect(keyboard.pressed).toBeLessThanOrEqual(5);
});

test('sign-in: a browser signs in by a token, out and in again', async ({ page, open, keyboard, daemon }) => {
  const token = await newDeployToken(daemon);
  await open();
  await keyboard.press('Control+6');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  await keyboard.tabTo(page.getByLabel('Token of the daemon'));
  await keyboard.type('no token');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Token of the daemon')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Token of the daemon')).toBeFocused();
  await keyboard.press('Control+a');
  await keyboard.type(token);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'This browser' })).toBeFocused();
  expect(keyboard.pressed).toBeLessThanOrEqual(10);
  await keyboard.tabTo(page.getByRole('button', { name: 'Sign this browser out' }));
  await keyboard.press('Enter');
  await expect(page.getByLabel('Token of the daemon')).toBeFocused();
});

test('notes are dismissed one after the other, a dialog that is closed returns the focus, and a page change moves it', async ({
  page,
  open,
  keyboard,
  daemon,
}) => {
  for (const app of ['crashes_at_import', 'crashes_at_import/crashes_at_import']) {
    expect(await daemon.install(fixtureApp(app))).toMatchObject({ state: 'failed' });
  }
  await open('#/apps');
  const dismiss = page.getByRole('button', { name: /^Dismiss the failed install of/ });
  await expect(dismiss).toHaveCount(2);
  await keyboard.tabTo(dismiss.first());
  await keyboard.press('Enter');
  await expect(dismiss).toHaveCount(1);
  await expect(dismiss).toBeFocused();
  await keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or run' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(dismiss).toBeFocused();
  await keyboard.press('Enter');
  await expect(dismiss).toHaveCount(0);
  await keyboard.expectSomeFocus();
  for (const [key, name] of ['Home', 'Robot', 'Apps', 'Models', 'Activity', 'Settings'].entries()) {
    await keyboard.press(`Control+${key + 1}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  }
});

test('the palette and the list of shortcuts can be read in every size and theme', async ({ page, open, keyboard }) => {
  await open('#/settings');
  await keyboard.press('Control+k');
  await keyboard.type('s');
  await expect(page.getByRole('option', { name: /^Start Silent/ })).toBeVisible();
  await expect(page.getByText('↑ ↓ to choose')).toBeVisible();
  await expectAccessible(page, 'palette');
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await expectAccessible(page, 'shortcuts');
});
