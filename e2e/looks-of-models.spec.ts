/** Every page of the models and the endpoints can be read and used: in both themes, on narrow and wide windows. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeTinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { expectAccessible } from './accessible.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { signIn } from './deploy-token.ts';
import { expect, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'looks-of-models' } });

/** The pages to check, each with a text to wait for. */
const views = {
  'the models': [
    { name: 'models', hash: '#/models', shows: 'The built-in catalog' },
    {
      name: 'models-filtered',
      hash: '#/models?task=text-generation&accelerator=cpu&sort=smallest',
      shows: 'Clear all',
    },
    { name: 'models-none', hash: '#/models?search=nothing+like+it', shows: 'No model matches' },
  ],
  'a model and no endpoints': [
    { name: 'model', hash: '#/models/Qwen/Qwen3-8B-GGUF', shows: 'Model details' },
    { name: 'endpoints-none', hash: '#/models?tab=endpoints', shows: 'There are no endpoints' },
    { name: 'machine', hash: '#/models?tab=machine', shows: 'None yet: a deploy' },
  ],
};

for (const [group, pages] of Object.entries(views)) {
  test(`${group} can be read in every size and theme`, async ({ page, open }) => {
    for (const { name, hash, shows } of pages) {
      await open(hash);
      await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
      await expectAccessible(page, name);
    }
  });
}

test('a deploy and its refusal can be read in every size and theme', async ({ page, open, daemon }) => {
  await open('#/models/Qwen/Qwen3-0.6B-GGUF');
  await page.getByRole('button', { name: 'Deploy Qwen3-0.6B-GGUF' }).click();
  await expect(page.getByLabel('Token of the daemon')).toBeVisible();
  await expectAccessible(page, 'deploy-signed-out');
  await page.keyboard.press('Escape');
  await signIn(page, daemon);
  await page
    .getByRole('button', { name: /^Fits 1 of \d+ offers, for/ })
    .first()
    .click();
  await expect(page.getByRole('table', { name: /^Offers/ })).toBeVisible();
  await expectAccessible(page, 'model-offers');
  await page.getByRole('button', { name: 'Deploy Qwen3-0.6B-GGUF' }).click();
  await page.getByRole('radio', { name: 'Private' }).check();
  await page.getByRole('switch', { name: 'Use a private link' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Not a name');
  const account = page.getByRole('textbox', { name: 'Account' });
  await account.fill('1');
  await account.clear();
  await expect(page.getByRole('alert')).toHaveCount(2);
  // The tests' hub has no such model.
  await expect(page.getByRole('button', { name: 'Deploy', exact: true })).toBeDisabled();
  await expectAccessible(page, 'deploy-refused');
});

test('a comparison and what is collected for it can be read in every size and theme', async ({ page, open }) => {
  await open('#/models?search=qwen3+gguf&sort=smallest');
  for (const at of [0, 1, 2]) {
    await page
      .getByRole('checkbox', { name: /^Compare / })
      .nth(at)
      .check();
  }
  await expect(page.getByRole('link', { name: 'Compare 3' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Search models' }).fill('qwen3 embedding gguf'); // no card lies half below the tray
  await expect(page.getByText(/^[12] models?$/)).toBeVisible();
  await expectAccessible(page, 'models-collected');
  await page.getByRole('link', { name: 'Compare 3' }).click();
  await expect(page.getByText(/^They differ in/)).toBeVisible();
  await expectAccessible(page, 'compare');
  await page.getByRole('switch', { name: 'Show all' }).click();
  await expect(page.getByRole('row', { name: /^Task/ })).toBeVisible();
  await expectAccessible(page, 'compare-all');
  await open('#/models?tab=compare');
  await expect(page.getByRole('heading', { name: 'No models to compare yet' })).toBeVisible();
  await expectAccessible(page, 'compare-none');
});

test('a model file of the user and its endpoint can be read in every size and theme', async ({
  page,
  open,
  daemon,
}) => {
  const file = writeTinyGguf(join(daemon.dataDir, 'Tiny_Model.gguf'));
  await signIn(page, daemon);
  await open('#/models?tab=machine');
  const own = page.getByRole('region', { name: 'Your own model file' });
  await own.getByRole('textbox', { name: 'Path' }).fill(file);
  await own.getByRole('button', { name: 'Check' }).click();
  await expect(own).toContainText('512 tokens');
  await expectAccessible(page, 'machine-file');
  await dropOn(page, 'Other.gguf');
  await expect(own.getByRole('alert')).toContainText('Nothing was uploaded.');
  await expectAccessible(page, 'machine-dropped');
  await expect(own.getByRole('button', { name: 'Deploy…' }), 'of the file before').toHaveCount(0);
  await own.getByRole('textbox', { name: 'Path' }).fill(file);
  await own.getByRole('button', { name: 'Check' }).click();
  await own.getByRole('button', { name: 'Deploy…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy Tiny_Model.gguf' });
  await expectAccessible(page, 'machine-deploy');
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await expect(page.getByRole('row', { name: /^tiny-model/ })).toContainText('running');
  await expectAccessible(page, 'endpoint-in-the-list');
  await page.getByRole('link', { name: 'tiny-model', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Replicas' })).toHaveText(/^readyProcess \d+ ?0 requests[\d.]+ .B/);
  await expect(page.getByRole('figure', { name: /^Memory/ })).toBeVisible();
  await expectAccessible(page, 'endpoint');
  await page.getByText('As a table').click();
  await page.getByRole('region', { name: 'Events' }).scrollIntoViewIfNeeded();
  await expectAccessible(page, 'endpoint-below');
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByRole('log').locator('.output-line').first()).toBeVisible();
  await expectAccessible(page, 'endpoint-log');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'At least' }).fill('2');
  await expectAccessible(page, 'endpoint-settings');
  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByRole('textbox', { name: 'Longest answer' }).fill('40');
  for (const text of ['Hello, who are you?', 'And what can you do?']) {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  }
  await page.getByText('This request as curl, Python or JavaScript').click();
  await expectAccessible(page, 'endpoint-chat');
  await page.getByRole('button', { name: 'Sleep tiny-model' }).click();
  await page.getByRole('radio', { name: 'Any request' }).check({ force: true });
  await expect(page.getByText('It is asleep: your first request wakes it')).toBeVisible(); // above Send
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('region', { name: 'Reply', exact: true })).toContainText('200');
  await expectAccessible(page, 'endpoint-any-request');
  // The page is left first: a reply that is under way would set the cookie again.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in to try it' })).toBeVisible();
  await expectAccessible(page, 'endpoint-signed-out');
  await signIn(page, daemon);
  await page.reload();
  await open('#/');
  await expect(page.getByRole('region', { name: 'Models that run' })).toContainText('of memory');
  await expectAccessible(page, 'home-endpoint');
  await open('#/models?tab=endpoints');
  await deleteEndpoint(page, 'tiny-model');
  await expect(page.getByRole('heading', { name: 'There are no endpoints' })).toBeVisible();
});

test('an endpoint and its deletion can be read in every size and theme', async ({ page, open, daemon }) => {
  await signIn(page, daemon);
  const model = `${daemon.url}/api/v1/catalog/model/Qwen/Qwen3-0.6B-GGUF`;
  const config = { name: 'small-model-to-look-at' };
  const made = await page.request.post(`${model}/deploy`, { data: { namespace: 'local', config } });
  expect(made.status()).toBe(200);
  await open('#/models?tab=endpoints&made=small-model-to-look-at');
  // The tests' hub has no such model.
  await expect(page.getByRole('row', { name: /^small-model-to-look-at/ })).toContainText('failed');
  await expectAccessible(page, 'endpoints');
  await open('#/models/Qwen/Qwen3-0.6B-GGUF');
  await expect(page.getByRole('region', { name: 'Endpoints of this model' })).toContainText('failed');
  await expectAccessible(page, 'model-endpoint');
  await open('#/');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('small-model-to-look-at failed');
  await expectAccessible(page, 'home-endpoint-failed');
  await open('#/models?tab=endpoints');
  await page.getByRole('button', { name: 'Delete small-model-to-look-at' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete small-model-to-look-at' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'endpoint-delete');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await deleteEndpoint(page, 'small-model-to-look-at');
  await expect(page.getByRole('heading', { name: 'There are no endpoints' })).toBeVisible();
});

/** Drops a file on the form that checks model files: of a file a page gets no path. */
async function dropOn(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((fileName) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['GGUF'], fileName));
    return transfer;
  }, name);
  await page.getByRole('form', { name: 'Check a model file' }).dispatchEvent('drop', { dataTransfer });
}
