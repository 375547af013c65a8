/** Models are compared by keyboard on a narrow window; a deploy tells its download, and Home shows how the endpoint does. */
import type { Page } from '@playwright/test';
import { tinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { signIn } from './deploy-token.ts';
import { expect } from './fixtures.ts';
import { test } from './with-hub.ts';

test.use({ hubOptions: { name: 'compare-and-look-after', spaces: [] } });

const small = 'Qwen/Qwen3-0.6B-GGUF';
test.beforeAll(({ hub }) => hub.addModel({ id: small, files: { 'Qwen3-0.6B-Q8_0.gguf': { lfs: tinyGguf() } } }));

const tray = (page: Page) => page.getByRole('region', { name: 'Collected to compare' });
const table = (page: Page) => page.getByRole('table', { name: 'Comparison' });

test('models are compared by keyboard on a narrow window; a reload and Back keep the comparison and the tray', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await open('#/models?search=qwen3+gguf&sort=smallest');
  const [first, second] = [0, 1].map((at) => page.getByRole('checkbox', { name: /^Compare / }).nth(at));
  await first?.focus();
  await page.keyboard.press('Space');
  await expect(tray(page)).toContainText('Choose one or two more.');
  await second?.focus();
  await page.keyboard.press('Space');
  await page.reload();
  await expect(tray(page)).toContainText('2 of at most 3');
  await second?.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeFocused();
  await expect(page.getByText(/^They differ in \d+ of \d+ properties\.$/)).toBeVisible();
  const rows = await table(page).getByRole('row').count();
  await page.getByRole('switch', { name: 'Show all' }).focus();
  await page.keyboard.press('Space');
  await expect(table(page).getByRole('row', { name: /^Task/ })).toContainText('Text generation');
  expect(await table(page).getByRole('row').count()).toBeGreaterThan(rows);
  await page.reload();
  await expect(table(page).getByRole('row', { name: /^Task/ })).toContainText('Text generation');

  await table(page).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Recipes' })).toBeVisible();
  await page
    .getByRole('checkbox', { name: /^Compare llama\.cpp on GPU/ })
    .first()
    .check();
  await expect(tray(page)).toContainText('3 of at most 3');
  await page.goBack();
  await expect(table(page).getByRole('columnheader')).toHaveCount(2);
  await page.goBack();
  await expect(tray(page)).toContainText('2 of at most 3');
  await tray(page).getByRole('button', { name: 'Clear' }).click();
  await expect(tray(page)).toHaveCount(0);
});

test('a deploy tells its download before the click; the model and Home show the endpoint, and Home why one failed', async ({
  page,
  open,
  daemon,
}) => {
  await signIn(page, daemon);
  await open(`#/models/${small}`);
  await expect(page.getByText(/^Downloads \d+ kB; the disk has \d.* free\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Deploy Qwen3-0.6B-GGUF' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy Qwen3-0.6B-GGUF' });
  await expect(dialog.getByRole('region', { name: 'Summary' })).toContainText(/Downloads \d+ kB; the disk has/);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('chat');
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await expect(page.getByRole('row', { name: /^chat/ })).toContainText('running');

  await open(`#/models/${small}`);
  const serving = page.getByRole('region', { name: 'Endpoints of this model' });
  await expect(serving).toContainText(/chat\s*running\s*\d.* of memory/);
  await expect(page.getByText(/^Its file \(\d+ kB\) is on this machine: nothing is downloaded\.$/)).toBeVisible();

  await open();
  const running = page.getByRole('region', { name: 'Models that run' });
  await expect(running.getByRole('listitem')).toContainText(/chat\s*running\s*\d.* of memory/);
  const gone = 'Qwen/Qwen3-8B-GGUF';
  const reply = await page.request.post(`${daemon.url}/v2/endpoint/local`, {
    data: {
      ...{ name: 'lost', type: 'public', provider: { vendor: 'local', region: 'this-machine' } },
      compute: await cpuOf(page, daemon.url),
      model: {
        ...{ repository: gone, framework: 'llamacpp' },
        image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: 'Qwen3-8B-Q4_K_M.gguf' } },
      },
    },
  });
  expect(reply.status()).toBe(200);
  const needs = page.getByRole('region', { name: 'Needs attention' });
  await expect(needs).toContainText(/lost failed: .*Qwen3-8B-GGUF/);
  await expect(needs.getByRole('link', { name: 'See the hub account' })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss this message' }).click();
  await expect(needs).toBeHidden();
  await Promise.all([page.waitForResponse(/[?&]state=failed\b/), page.reload()]);
  await expect(running).toContainText('of memory');
  await expect(needs).toBeHidden();
});

/** The compute of this machine's CPU, for an endpoint that never sleeps. */
async function cpuOf(page: Page, url: string) {
  const { vendors } = await (await page.request.get(`${url}/v2/provider/local`)).json();
  const local = vendors.find(({ name }: { name: string }) => name === 'local');
  const [offer] = local.regions[0].computes.filter((each: { accelerator: string }) => each.accelerator === 'cpu');
  const { accelerator, instanceType, instanceSize } = offer;
  return { accelerator, instanceType, instanceSize, scaling: { minReplica: 0, maxReplica: 1 } };
}
