/** Models: search, fit, deploy, managing the endpoint, and the catalog of another service. */
import type { Page } from '@playwright/test';
import type { ModelPage } from '../daemon/contract/catalog/models.ts';
import { addCatalogModel } from './catalog-model.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { newDeployToken, signIn } from './deploy-token.ts';
import { Daemon, expect } from './fixtures.ts';
import { test } from './with-hub.ts';

test.use({ hubOptions: { name: 'models', spaces: [] } });

/** The smallest model of the shipped catalog, which fits on any machine that runs these tests. */
async function smallest(daemon: Daemon): Promise<ModelPage['models'][number]> {
  const { models } = await daemon.call('listModels', { query: { fits: true, sort: 'smallest', limit: 1 } });
  const [model] = models;
  if (!model) throw new Error('Nothing in the catalog fits this machine');
  return model;
}
const cards = (page: Page) => page.getByRole('list', { name: 'Models of the catalog' }).getByRole('article');
const found = (page: Page) => page.locator('#list-count');
const endpoints = async (daemon: Daemon) =>
  (await daemon.call('listOwnEndpoints')).endpoints.map(({ endpoint }) => endpoint);

test('models are searched, filtered, sorted and paged through, and the address keeps the choices', async ({
  page,
  open,
  daemon,
}) => {
  const { matches: all } = await daemon.call('listModels');
  const { matches: fittingAll } = await daemon.call('listModels', { query: { fits: true } });
  const { matches: fitting } = await daemon.call('listModels', { query: { fits: true, task: 'text-generation' } });
  await open();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Models' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
  await expect(found(page)).toContainText(`${fittingAll} models`);
  await expect(page.getByText(`${all - fittingAll} more do not fit this machine.`)).toBeVisible();
  await expect(page.getByText('The built-in catalog')).toBeVisible();

  await page
    .getByRole('region', { name: 'Task' })
    .getByRole('link', { name: /^Text generation/ })
    .click();
  await expect(page.getByRole('switch', { name: 'Show all models' })).not.toBeChecked();
  await expect(found(page)).toContainText(`${fitting} models`);
  await page.getByRole('radio', { name: 'Name' }).click({ force: true }); // checked once the address has changed
  await expect(page).toHaveURL(/#\/models\?task=text-generation&sort=name$/);
  await expect(page.getByRole('radio', { name: 'Name' })).toBeChecked();
  const names = await cards(page).getByRole('heading').allTextContents();
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));

  await page.getByRole('textbox', { name: 'Search models' }).pressSequentially('qwen gguf');
  await expect(page).toHaveURL(/search=qwen\+gguf/);
  await expect(cards(page).first()).toHaveAccessibleName(/qwen/i);
  const place = page.url();
  await cards(page).first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 2, name: 'Recipes' })).toBeVisible();
  await page.goBack();
  expect(page.url()).toBe(place);
  await expect(page.getByRole('textbox', { name: 'Search models' })).toHaveValue('qwen gguf');
  await page.reload();
  await expect(cards(page).first()).toHaveAccessibleName(/qwen/i);

  await page.getByRole('switch', { name: 'Show all models' }).click();
  await expect(page.getByRole('switch', { name: 'Show all models' })).toBeChecked();
  await page.getByRole('textbox', { name: 'Search models' }).fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No model matches "nothing like it"' })).toBeVisible();
  await page.getByRole('link', { name: 'Clear the search and filters' }).click();
  await expect(found(page)).toContainText(`${all} models`);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(found(page)).toHaveText(/, page 2 of \d/);
  await expect(page).toHaveURL(/page=2/);
  await open('#/models');
  await expect(page.getByRole('switch', { name: 'Show all models' }), 'this browser remembers it').toBeChecked();
  await expect(found(page)).toContainText(`${all} models`);
});

test('a recipe shows where it would run, and why each offer does or does not fit', async ({ page, open, daemon }) => {
  const model = await smallest(daemon);
  await open(`#/models/${model.repoId}`);
  await expect(page.getByRole('region', { name: model.repoId })).toContainText(model.fit.sentence);
  const best = page.getByRole('row').filter({ hasText: 'best fit' });
  await expect(best).toContainText('this machine');
  await expect(best).toContainText('fits');
  await page
    .getByRole('button', { name: /^Fits 1 of \d+ offers, for/ })
    .first()
    .click();
  const offers = page.getByRole('table', { name: /^Offers considered/ });
  await expect(offers.getByRole('row', { name: /^this machine/ })).toContainText('fits');
  await page
    .getByRole('button', { name: /^Show the other/ })
    .first()
    .click();
  await expect(offers).toContainText(/no account for \w+ is configured/);
  await page.getByRole('link', { name: 'Catalog' }).click();
  await expect(cards(page).first()).toBeVisible();
});

test('who is not signed in is asked for a token, deploys, and manages the endpoint to its end', {
  tag: '@smoke',
}, async ({ page, open, daemon, hub }) => {
  const model = await smallest(daemon);
  await addCatalogModel(hub, daemon, model.repoId);
  await open(`#/models/${model.repoId}`);
  await page.getByRole('button', { name: `Deploy ${model.modelName}` }).click();
  const dialog = page.getByRole('dialog', { name: `Deploy ${model.modelName}` });
  await dialog.getByLabel('Token of the daemon').fill('rd_not-a-token');
  await dialog.getByRole('button', { name: 'Sign this browser in' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Token of the daemon').fill(await newDeployToken(daemon));
  await dialog.getByRole('button', { name: 'Sign this browser in' }).click();

  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect(name).toHaveValue(/^[a-z0-9-]{1,32}$/);
  await expect(dialog.getByRole('region', { name: 'Summary' })).toContainText('this machine');
  await name.fill('Mine');
  await expect(dialog.getByRole('alert')).toContainText('Lower-case letters, digits and -');
  await name.fill('mine');
  await dialog.getByRole('textbox', { name: 'At least' }).fill('2');
  await expect(dialog.getByText('It always runs.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await expect(dialog.getByText('Must not be below “At least” (2).')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'At least' }).fill('0');
  await dialog.getByRole('radio', { name: 'Public' }).check();
  await dialog.getByRole('button', { name: 'Deploy' }).click();

  const row = page.getByRole('row', { name: /^mine/ });
  await expect(row).toContainText('new');
  // The file on the hub of these tests is not a model.
  await expect(row).toContainText('failed');
  await expect(page.getByText(/ is not a GGUF file\.$/).first()).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Endpoints 1' })).toBeVisible();
  expect(await endpoints(daemon)).toMatchObject([
    { name: 'mine', type: 'public', model: { repository: model.repoId }, status: { state: 'failed' } },
  ]);

  await row.getByRole('link', { name: model.repoId }).click();
  await page.getByRole('button', { name: `Deploy ${model.modelName}` }).click();
  await name.fill('mine');
  await expect(dialog.getByText('There is an endpoint "mine" already.')).toBeVisible();
  await page.keyboard.press('Escape');

  await open('#/models?tab=endpoints');
  await page.getByRole('button', { name: 'Pause mine' }).click();
  await expect(row).toContainText('paused');
  await page.getByRole('button', { name: 'Resume mine' }).click();
  await expect(row).toContainText('failed');
  await deleteEndpoint(page, 'mine');
  await expect(page.getByRole('heading', { name: 'There are no endpoints' })).toBeVisible();
  expect(await endpoints(daemon)).toEqual([]);
});

test('an endpoint deployed by another page is listed at once, and cannot be changed without a session', async ({
  page,
  open,
  daemon,
  browser,
}) => {
  const { fit, modelName } = await smallest(daemon);
  await open('#/models?tab=endpoints');
  await expect(page.getByRole('heading', { name: 'There are no endpoints' })).toBeVisible();
  const other = await browser.newContext();
  await using _ = { [Symbol.asyncDispose]: () => other.close() };
  const theirs = await other.newPage();
  await signIn(theirs, daemon);
  const { namespace } = await (await theirs.request.get(`${daemon.url}/api/session`)).json();
  const path = `/api/v1/catalog/recipe/${fit.publicId}/deploy`;
  const reply = await theirs.request.post(daemon.url + path, { data: { namespace, config: { name: 'theirs' } } });
  expect({ status: reply.status(), modelName }).toEqual({ status: 200, modelName });
  await expect(page.getByRole('row', { name: /^theirs/ })).toContainText(/pending|starting|failed/);
  await expect(page.getByRole('region', { name: 'Sign in to change endpoints' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Pause|Delete) theirs$/ })).toHaveCount(0);
  expect((await theirs.request.delete(`${daemon.url}/v2/endpoint/${namespace}/theirs`)).ok()).toBe(true);
  await expect(page.getByRole('heading', { name: 'There are no endpoints' })).toBeVisible();
});

test('the catalog of another service is used, browsed after the service has stopped, and replaced by the built-in one', async ({
  page,
  open,
}) => {
  const service = await Daemon.start();
  let stopped = false;
  try {
    await open('#/settings');
    const section = page.getByRole('region', { name: 'Model catalog' });
    const address = section.getByRole('textbox', { name: 'Address of the service' });
    await address.fill(`${service.url}/nothing`);
    await section.getByRole('button', { name: 'Use this catalog' }).click();
    await expect(section.getByRole('alert')).toBeVisible();
    await address.fill(`${service.url}/api/v1`);
    await section.getByRole('button', { name: 'Use this catalog' }).click();
    await expect(section).toContainText(`${service.url}/api/v1`);
    await expect(section.getByRole('button', { name: 'Refresh' })).toBeVisible();

    await service.stop();
    stopped = true;
    await open('#/models');
    await expect(cards(page).first()).toBeVisible();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText('The catalog could not be updated.')).toBeVisible();
    await expect(cards(page).first()).toBeVisible();

    await open('#/settings');
    await section.getByRole('button', { name: 'Use the built-in catalog' }).click();
    await expect(section.getByText(/^The built-in catalog/)).toBeVisible();
  } finally {
    if (!stopped) await service.stop();
  }
});
