/** A model on the graphics card, from its deploy to a driver that dies, and what each page says of it. Mesa's software driver is the card. */
import { join } from 'node:path';
import { noSoftwareCard, shareShaderCache, softwareCard } from '../daemon/testing/models/software-card.ts';
import { writeTinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { expectAccessible } from './accessible.ts';
import { signIn } from './deploy-token.ts';
import { expect, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'graphics-card' } });
if (noSoftwareCard !== null) console.warn(`SKIPPED: the pages of a graphics card, since ${noSoftwareCard}`);
test.skip(noSoftwareCard !== null, noSoftwareCard ?? '');
// Here, in the worker: the process that collects the tests passes its environment on to all workers.
test.beforeAll(() => void Object.assign(process.env, softwareCard));

/** The driver compiles for a minute and more when its cache is new. */
const READY_MS = 8 * 60_000;

test('a model is deployed on the graphics card; its driver dies, and it is tried again', async ({
  page,
  open,
  daemon,
}) => {
  test.setTimeout(2 * READY_MS);
  shareShaderCache(daemon.dataDir);
  const file = writeTinyGguf(join(daemon.dataDir, 'Poet.gguf'));
  await signIn(page, daemon);

  await open('#/settings?section=graphics-card');
  const settings = page.getByRole('region', { name: 'Graphics card' });
  await expect(settings).toContainText('llvmpipe');
  expect(await page.evaluate(() => document.scrollingElement?.scrollTop), 'the frame stays').toBe(0);
  await expectAccessible(page, 'card-settings');
  await open('#/models');
  await expect(page.getByRole('switch', { name: 'Fits the graphics card' })).toBeVisible();
  await expectAccessible(page, 'card-models');
  await open('#/models/Qwen/Qwen3-0.6B-GGUF');
  await page.getByRole('button', { name: 'Deploy Qwen3-0.6B-GGUF' }).click();
  await expect(page.getByRole('switch', { name: 'Use the graphics card' })).toBeVisible();
  await expectAccessible(page, 'card-deploy');
  await page.keyboard.press('Escape');

  await open('#/models?tab=machine');
  const cards = page.getByRole('region', { name: 'Graphics cards' });
  await expect(cards).toContainText('ready');
  const own = page.getByRole('region', { name: 'Your own model file' });
  await own.getByRole('textbox', { name: 'Path' }).fill(file);
  await own.getByRole('button', { name: 'Check' }).click();
  await own.getByRole('button', { name: 'Deploy…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy Poet.gguf' });
  await expect(dialog.getByRole('switch', { name: 'Use the graphics card' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  const poet = page.getByRole('row', { name: /^poet/ });
  await expect(poet).toContainText('running', { timeout: READY_MS });
  await page.getByRole('link', { name: 'poet', exact: true }).click();
  await expect(page.getByText(/^On the graphics card: 3 of 3 layers/)).toBeVisible();
  await expectAccessible(page, 'card-endpoint');
  await open('#/models?tab=machine');
  await expect(cards.getByRole('link', { name: 'poet' })).toBeVisible();
  await expectAccessible(page, 'card-machine');

  const { report } = await daemon.call('getOwnEndpoint', { params: { namespace: 'local', name: 'poet' } });
  const [pid] = report.replicas.flatMap((replica) => replica.pid ?? []);
  expect(pid).toBeGreaterThan(1);
  process.kill(pid as number, 'SIGSEGV');
  await expect(cards).toContainText('The graphics driver ended the program that used it (SIGSEGV).');
  await expectAccessible(page, 'card-machine-failed');
  await open('#/models/endpoints/local/poet');
  await expect(page.getByText('It runs on the processor, not on the graphics card.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('On the processor', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page, 'card-endpoint-on-processor');

  await open('#/models?tab=machine');
  await cards.getByRole('button', { name: 'Try the graphics card again' }).click();
  await expect(cards).toContainText('It can be used: models use it from their next start.');
  await expect(cards).toContainText('ready');
  await open('#/settings?section=graphics-card');
  await settings.getByRole('switch', { name: 'Use the graphics card' }).click();
  await expect(settings.getByRole('switch', { name: 'Use the graphics card' })).not.toBeChecked();
  await open('#/models?tab=machine');
  await expect(cards).toContainText('The graphics card is switched off');
  await expectAccessible(page, 'card-machine-off');
});
