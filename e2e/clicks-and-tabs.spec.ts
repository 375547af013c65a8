/**
 * The main journeys from a newly opened Home, by mouse alone and then by a user who knows no shortcut: Tab, arrows, Enter and
 * the link that skips to the content. The clicks and keys are counted, each with the most that the journey may need.
 */
import { addCatalogModel } from './catalog-model.ts';
import { newDeployToken } from './deploy-token.ts';
import { expect, fixtureApp } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import { Mouse } from './mouse.ts';
import { test as base } from './with-hub.ts';

const test = base.extend<{ keyboard: Keyboard; mouse: Mouse }>({
  keyboard: ({ page }, use) => use(new Keyboard(page)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  mouse: ({}, use) => use(new Mouse()),
});

test.use({ hubOptions: { name: 'clicks-and-tabs', spaces: [], apps: [fixtureApp('crashes'), fixtureApp('silent')] } });
test.afterEach(({ daemon }) => daemon.freeSlot());

test('install a folder and start it: 4 clicks, 10 keys; remove an app from its page: 3 clicks, 6 keys', async ({
  page,
  open,
  daemon,
  keyboard,
  mouse,
}) => {
  const apps = page.getByRole('link', { name: 'Apps', exact: true });
  const install = page.getByRole('button', { name: 'Install…' });
  const dialog = page.getByRole('dialog');
  const more = page.getByRole('button', { name: 'More for Polite' });
  const removeItem = page.getByRole('menuitem', { name: 'Remove…' });
  const remove = dialog.getByRole('button', { name: /^Remove Polite/ });
  const running = () => expect.poll(async () => (await daemon.slot()).state).toBe('running');
  const isInstalled = async () => (await daemon.installed()).some(({ name }) => name === 'polite');

  await open();
  await mouse.click(apps);
  await mouse.click(install);
  await dialog.getByRole('textbox', { name: 'Address' }).fill(fixtureApp('polite'));
  await mouse.click(dialog.getByRole('button', { name: 'Install', exact: true }));
  await mouse.click(dialog.getByRole('button', { name: 'Start Polite' }));
  await running();
  expect(mouse.clicks).toBe(4);
  await daemon.freeSlot();
  await open('#/apps/polite');
  mouse.clicks = 0;
  await mouse.click(more);
  await mouse.click(removeItem);
  await mouse.click(remove);
  await expect.poll(isInstalled).toBe(false);
  expect(mouse.clicks).toBe(3);

  await keyboard.afresh('#/');
  await keyboard.tabTo(apps);
  await keyboard.press('Enter');
  await keyboard.tabTo(install);
  await keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toBeFocused();
  await keyboard.type(fixtureApp('polite'));
  await keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Start Polite' })).toBeFocused();
  await keyboard.press('Enter');
  await running();
  expect(keyboard.pressed).toBeLessThanOrEqual(10);
  await daemon.freeSlot();
  await keyboard.afresh('#/apps/polite');
  await keyboard.skipToContent();
  keyboard.pressed = 0; // the heading has the focus when the page is opened by a link, too
  await keyboard.tabTo(more);
  await keyboard.press('ArrowUp');
  await expect(removeItem).toBeFocused();
  await keyboard.press('Enter');
  await keyboard.tabTo(remove);
  await keyboard.press('Enter');
  await expect.poll(isInstalled).toBe(false);
  expect(keyboard.pressed).toBeLessThanOrEqual(6);
});

test('start an app: 1 click, 9 keys; replace it: 2 clicks, or 16 keys with a Cancel; its crash: shown, its output 1 click, 6 keys', async ({
  page,
  open,
  daemon,
  keyboard,
  mouse,
}) => {
  const main = page.getByRole('main');
  const start = (name: string) => main.getByRole('button', { name: `Start ${name}`, exact: true });
  const replace = page.getByRole('button', { name: 'Replace Silent' });
  const cancel = page.getByRole('button', { name: 'Cancel' });
  const cause = main.getByText(/the flux is not compensated/).first();
  const output = main.getByRole('link', { name: 'See its output' });
  const started = () => expect.poll(async () => (await daemon.slot()).state).toBe('starting');

  await open();
  await mouse.click(start('Silent'));
  await started();
  expect(mouse.clicks).toBe(1);
  await open('#/apps');
  mouse.clicks = 0;
  await mouse.click(start('Crashes'));
  await mouse.click(cancel);
  expect(mouse.clicks).toBe(2);
  mouse.clicks = 0;
  await mouse.click(start('Crashes'));
  await mouse.click(replace);
  expect(mouse.clicks).toBe(2);
  await expect(cause).toBeVisible();
  await mouse.click(output);
  await expect(page).toHaveURL(/tab=runs/);
  expect(mouse.clicks).toBe(3);

  await keyboard.afresh('#/');
  await keyboard.skipToContent();
  await keyboard.tabTo(start('Silent'));
  await keyboard.press('Enter');
  await started();
  expect(keyboard.pressed).toBeLessThanOrEqual(9);

  await keyboard.afresh('#/');
  await keyboard.tabTo(page.getByRole('link', { name: 'Apps', exact: true }));
  await keyboard.press('Enter');
  await keyboard.tabTo(main.getByRole('textbox', { name: 'Search your apps' }));
  await keyboard.type('crash');
  await keyboard.press('Enter');
  await expect(main.getByRole('link', { name: 'Crashes', exact: true })).toBeFocused();
  await keyboard.tabTo(start('Crashes'));
  await keyboard.press('Enter');
  await expect(replace).toBeFocused();
  await keyboard.tabTo(cancel);
  await keyboard.press('Enter');
  await expect(start('Crashes')).toBeFocused();
  await keyboard.press('Enter');
  await expect(replace).toBeFocused();
  await keyboard.press('Enter');
  await expect(cause).toBeVisible();
  expect(keyboard.pressed).toBeLessThanOrEqual(16);
  await expect(start('Crashes')).toBeFocused();
  keyboard.pressed = 0;
  await keyboard.tabTo(output);
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=runs/);
  expect(keyboard.pressed).toBeLessThanOrEqual(6);
});

test('sign in: 2 clicks, 11 keys; deploy a model with a sign-in: 5 clicks, 16 keys', async ({
  page,
  context,
  open,
  daemon,
  hub,
  keyboard,
  mouse,
}) => {
  const token = await newDeployToken(daemon);
  const { models } = await daemon.call('listModels', { query: { fits: true, sort: 'smallest', limit: 1 } });
  const [model = { repoId: 'none', modelName: 'none' }] = models;
  await addCatalogModel(hub, daemon, model.repoId);
  const main = page.getByRole('main');
  const settings = page.getByRole('link', { name: 'Settings', exact: true });
  const catalog = page.getByRole('link', { name: 'Models', exact: true });
  const search = main.getByRole('textbox', { name: 'Search models' });
  const result = main.getByRole('link', { name: model.modelName, exact: true });
  const deploy = main.getByRole('button', { name: `Deploy ${model.modelName}` });
  const tokenField = page.getByLabel('Token of the daemon');
  const dialog = page.getByRole('dialog');

  /** Leaves the page first: a reply that is under way would set the cookie again. */
  const signedOut = async () => {
    await page.goto('about:blank');
    await context.clearCookies();
  };

  await open();
  await mouse.click(settings);
  await tokenField.fill(token);
  await mouse.click(page.getByRole('button', { name: 'Sign this browser in' }));
  await expect(page.getByRole('heading', { name: 'This browser' })).toBeVisible();
  expect(mouse.clicks).toBe(2);

  await signedOut();
  await open();
  await keyboard.afresh('#/');
  await keyboard.tabTo(settings);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  await keyboard.tabTo(tokenField);
  await keyboard.type(token);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'This browser' })).toBeFocused();
  expect(keyboard.pressed).toBeLessThanOrEqual(11);

  await signedOut();
  await open();
  await keyboard.afresh('#/');
  await keyboard.tabTo(catalog);
  await keyboard.press('Enter');
  await keyboard.tabTo(search);
  await keyboard.type(model.repoId);
  await keyboard.press('Enter');
  await expect(result).toBeFocused();
  await keyboard.press('Enter');
  await keyboard.tabTo(deploy);
  await keyboard.press('Enter');
  await expect(tokenField).toBeFocused();
  await keyboard.type(token);
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeFocused();
  expect(keyboard.pressed).toBeLessThanOrEqual(16);

  await signedOut();
  await open();
  mouse.clicks = 0;
  await mouse.click(catalog);
  await search.fill(model.repoId);
  await mouse.click(result);
  await mouse.click(deploy);
  await tokenField.fill(token);
  await mouse.click(dialog.getByRole('button', { name: 'Sign this browser in' }));
  await mouse.click(dialog.getByRole('button', { name: 'Deploy', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
  expect(mouse.clicks).toBe(5);
});
