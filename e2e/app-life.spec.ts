/** An app in use: crash, replacement, restart, updates, rollback, variables, reset, removal. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { card, expect, fixtureApp, statusBar } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';
import { appFiles, test } from './with-hub.ts';

const mood = (version: string, run?: string) =>
  appFiles({ name: 'mood', title: 'Mood', version, ...(run !== undefined && { run }) });

test.use({
  hubOptions: {
    name: 'app-life',
    apps: [fixtureApp('crashes'), fixtureApp('polite')],
    spaces: [{ id: 'anna/mood', files: mood('1.0.0') }],
  },
});
test.afterEach(async ({ daemon }) => {
  await daemon.freeSlot();
});

test('a crash shows its cause and its place in the app, and the run is listed with its output', {
  tag: '@smoke',
}, async ({ page, open }) => {
  await open('#/apps/crashes');
  await page.getByRole('button', { name: 'Start Crashes' }).click();
  const summary = page.getByRole('region', { name: 'Crashes' });
  await expect(summary).toContainText('the flux is not compensated');
  await expect(summary).toContainText(/crashes\/main\.py, line \d+/);
  await expect(summary.getByRole('button', { name: /start/i })).toHaveText(['Start']);
  await summary.getByText('Lines of its output').click();
  await expect(summary.getByText('raise RuntimeError("the flux is not compensated")')).toBeVisible();
  await expect(summary.getByRole('button', { name: 'Copy details' })).toBeVisible();

  await page.getByRole('tab', { name: 'Runs' }).click();
  const run = page.getByRole('list', { name: 'Runs of crashes, newest first' }).getByRole('listitem').first();
  await expect(run).toContainText('crashed');
  await expect(run).toContainText('exit code 1');
  await run.getByRole('link').click();
  await expect(page.getByRole('log', { name: 'Lines' })).toContainText('about to fail');
  await page.getByRole('link', { name: 'All runs' }).click();
  await expect(run).toBeVisible();
});

test('a crash stays on the card and on Home until it is seen, over another app, a restart and in every window', async ({
  page,
  open,
  daemon,
  context,
}) => {
  await daemon.startApp('crashes');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  await daemon.startApp('polite');
  await open('#/apps');
  const why = 'the flux is not compensated';
  await expect(card(page, 'Crashes')).toContainText(why);
  await daemon.kill();
  await daemon.restart();
  await expect(card(page, 'Crashes')).toContainText(why);
  await open();
  const needs = page.getByRole('region', { name: 'Needs attention' });
  await expect(needs).toContainText(why);

  const other = await context.newPage();
  await other.goto(`${daemon.url}/#/apps/crashes`);
  await expect(other.getByRole('region', { name: 'Crashes' })).toContainText(why);
  await expect(needs).toBeHidden();
  await expect(other.getByRole('region', { name: 'Crashes' }), 'it stays where it is read').toContainText(why);
  await other.close();
  await open('#/apps');
  await expect(card(page, 'Crashes')).toContainText('crashed');
  await expect(card(page, 'Crashes')).not.toContainText(why);
});

test('an app replaces another only when the user chooses so, and can be restarted', async ({ page, open, daemon }) => {
  await daemon.startApp('polite');
  await open('#/apps');
  await page.getByRole('button', { name: 'Start Crashes' }).click();
  await card(page, 'Crashes').getByRole('button', { name: 'Cancel' }).click();
  await expect(card(page, 'Polite')).toContainText('running');

  await open('#/apps/polite');
  const before = await daemon.slot();
  await page.getByRole('button', { name: 'Restart Polite' }).click();
  await expect.poll(async () => ({ ...(await daemon.slot()), since: '' })).not.toEqual({ ...before, since: '' });
  await expect(page.getByRole('region', { name: 'Polite' })).toContainText('running');

  await open('#/apps');
  await page.getByRole('button', { name: 'Start Crashes' }).click();
  await card(page, 'Crashes').getByRole('button', { name: 'Replace Polite' }).click();
  await expect(card(page, 'Crashes')).toContainText('the flux is not compensated');
  await expect(card(page, 'Polite')).toContainText('ready');
});

/** The places of the cards in the list, each with the name of its app. */
const places = (page: Page) =>
  page
    .getByRole('list', { name: 'Installed apps' })
    .getByRole('article')
    .evaluateAll((cards) =>
      cards.map((each) => {
        const { top, left, height } = each.getBoundingClientRect();
        return [each.getAttribute('aria-label'), Math.round(top), Math.round(left), Math.round(height)];
      }),
    );

const bottomOf = (what: Locator) => what.evaluate((each) => each.getBoundingClientRect().bottom);

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`no card moves: not for a question, nor for a crash, nor for its details, ${name}`, async ({
    page,
    open,
    daemon,
  }) => {
    await daemon.startApp('polite');
    await expect.poll(async () => (await daemon.slot()).state).toBe('running');
    await open('#/apps');
    const hand = handOn(page);
    const crashes = card(page, 'Crashes');
    const start = page.getByRole('button', { name: 'Start Crashes' });
    // In the list, no card changes its place in the order.
    await start.hover();
    await start.focus();
    const before = await places(page);
    await hand.press(start);
    const replace = crashes.getByRole('button', { name: 'Replace Polite' });
    await expect(replace).toBeVisible();
    expect(await places(page)).toEqual(before);
    expect(await bottomOf(replace), 'it covers no other card').toBeLessThanOrEqual(await bottomOf(crashes));
    await hand.press(replace);
    await expect.poll(() => daemon.slot()).toMatchObject({ state: 'free', lastRun: { appName: 'crashes' } });
    await expect(crashes).toContainText('the flux is not compensated');
    expect(await places(page)).toEqual(before);
    await hand.press(crashes.getByRole('button', { name: 'Details of Crashes' }));
    await expect(crashes.getByText('Lines of its output')).toBeVisible();
    expect(await places(page)).toEqual(before);
    await hand.press(crashes.getByRole('button', { name: 'Dismiss this message' }));
    await expect(crashes).not.toContainText('the flux is not compensated');
    expect(await places(page)).toEqual(before);
  });
}

test('the user rolls back an update, an update that crashes at once is rolled back, and a pinned app is not updated', async ({
  page,
  open,
  hub,
  daemon,
}) => {
  await daemon.install(`${hub.url}/spaces/anna/mood`);
  const update = async (version: string, run?: string) => {
    await hub.commit('anna/mood', mood(version, run));
    await daemon.call('checkForUpdates');
    await page.getByRole('button', { name: 'Update mood' }).click();
    await expect(page.getByRole('region', { name: `Installed: ${version}` })).toBeVisible();
  };
  await open('#/apps/mood?tab=versions');
  await update('1.1.0');
  await expect(page.getByText(/update is on trial/)).toContainText('1.0.0 is restored automatically');
  await page.getByRole('button', { name: 'Return to 1.0.0: mood' }).click();
  await expect(page.getByRole('region', { name: 'Installed: 1.0.0' })).toBeVisible();
  await expect(page.getByText('You returned Mood from 1.1.0 to 1.0.0.')).toBeVisible();

  await update('1.2.0', 'raise KeyError("a step that is not there")');
  await page.getByRole('button', { name: 'Start mood' }).click();
  await expect(page.getByText('Mood was rolled back from 1.2.0 to 1.0.0 automatically.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'mood' })).toContainText('rolled back');
  await expect(page.getByText('1.2.0 crashed here, so it is not offered as an update again.')).toBeVisible();
  await page.getByRole('switch', { name: 'Stay at this version' }).click({ force: true });
  await expect(page.getByRole('switch', { name: 'Stay at this version' })).toBeChecked();
  await open();
  const needs = page.getByRole('region', { name: 'Needs attention' });
  await expect(needs).toContainText('Mood was rolled back from 1.2.0 to 1.0.0 automatically.');
  await expect(needs).not.toContainText('update available');
  const rollback = needs.locator('.note', { hasText: 'rolled back' });
  await rollback.getByRole('button', { name: 'Dismiss this message' }).click();
  await expect(needs).toBeHidden();
});

test('an app is reset, which is listed first, and undone by mouse and by keyboard', async ({ page, open, daemon }) => {
  const saved = join(daemon.dataDir, 'apps', 'polite', 'files', 'scores.json');
  const isThere = () =>
    readFile(saved, 'utf8').then(
      (text) => text === '12345',
      () => false,
    );
  await mkdir(dirname(saved), { recursive: true });
  await writeFile(saved, '12345');
  const mood = { params: { appName: 'polite', variable: 'MOOD' }, body: { value: 'merry', secret: false } };
  await daemon.call('setAppVariable', mood);
  await open('#/apps/polite');
  const summary = page.getByRole('region', { name: 'Polite' });
  const reset = async (press: (what: Locator) => Promise<void>) => {
    await press(page.getByRole('button', { name: 'More for Polite' }));
    await press(page.getByRole('menuitem', { name: 'Reset…' }));
    const dialog = page.getByRole('dialog', { name: 'Reset Polite' });
    await expect(dialog).toContainText('Removes 1 file, 5 B, and 1 variable.');
    await expect(dialog.getByRole('list', { name: 'Files' })).toContainText('scores.json');
    await expect(dialog).not.toContainText('merry');
    await press(dialog.getByRole('button', { name: 'Reset Polite' }));
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('Polite was reset.')).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'More for Polite' })).toBeFocused();
    expect(await isThere()).toBe(false);
  };
  const click = (what: Locator) => what.click();
  const enter = (what: Locator) => what.press('Enter');

  await reset(click);
  await click(summary.getByRole('button', { name: 'Undo the reset' }));
  await expect.poll(isThere).toBe(true);
  await expect(summary).not.toContainText('was reset');
  await reset(enter);
  await daemon.call('setAppVariable', { ...mood, body: { value: 'sad', secret: false } });
  await enter(page.getByRole('button', { name: 'Undo the reset' }));
  await expect(page.getByRole('alert')).toContainText('what was saved since: 1 variable');
  await expect(page.getByRole('button', { name: 'Undo the reset and lose that' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(isThere).toBe(true);
  await expect(summary).not.toContainText('was reset');
  await page.getByRole('tab', { name: 'Variables' }).click();
  const variables = page.getByRole('list', { name: 'Environment variables' });
  await expect(variables).toContainText('merry');
  await page.getByRole('button', { name: 'Remove MOOD' }).click();
  await expect(variables).toHaveCount(0);
});

test('variables are set for an app, a secret is never shown again, and removing the app deletes everything it saved', async ({
  page,
  open,
  daemon,
}) => {
  await daemon.call('setStartupApp', { body: { startupApp: 'polite' } });
  await open('#/apps/polite?tab=variables');
  for (const [name, value, secret] of [
    ['MOOD', 'merry', false],
    ['API_KEY', 'quiet-as-a-mouse', true],
  ] as const) {
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('textbox', { name: 'Value' }).fill(value);
    if (secret) await page.getByRole('switch', { name: 'Secret' }).check({ force: true });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  }
  const variables = page.getByRole('list', { name: 'Environment variables' }).getByRole('listitem');
  await expect(variables.filter({ hasText: 'API_KEY' })).toContainText('stored, not shown');
  await expect(variables.filter({ hasText: 'MOOD' })).toContainText('merry');
  await page.reload();
  await expect(variables).toHaveCount(2);
  await expect(page.locator('body')).not.toContainText('quiet-as-a-mouse');
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('PATH');
  await page.getByRole('textbox', { name: 'Value' }).press('Enter');
  await expect(page.getByRole('alert')).toHaveText(/^This variable belongs to .*\.$/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove MOOD' }).click();
  await expect(variables).toHaveCount(1);

  await page.getByRole('button', { name: 'More for Polite' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove Polite' });
  await expect(dialog).toContainText('It is the startup app: afterwards no app starts when the robot wakes up.');
  await dialog.getByRole('button', { name: /^Remove Polite and its \d/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
  await expect(card(page, 'Polite')).toHaveCount(0);
  await expect(statusBar(page)).toContainText('No app runs');
  expect(await daemon.call('getStartupApp')).toEqual({ startupApp: null });
  expect((await daemon.installed()).map(({ name }) => name)).not.toContain('polite');
});
