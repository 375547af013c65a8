/** The download of a model in the dashboard: followed, interrupted, continued; its file removed once nothing uses it. */
import type { Hardware } from '../daemon/contract/compute/hardware.ts';
import { tinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { signIn } from './deploy-token.ts';
import { expect } from './fixtures.ts';
import { test } from './with-hub.ts';

test.use({ hubOptions: { name: 'download-a-model', spaces: [] } });

/** The model's file with a tail that makes its download take seconds. */
const file = Buffer.concat([tinyGguf(), Buffer.alloc(6_000_000)]);

test('a download is followed byte by byte, stopped by Pause, continued by Resume, and its file removed after the delete', async ({
  page,
  open,
  daemon,
  hub,
}) => {
  await hub.addModel({ id: 'ada/tiny', files: { 'tiny.gguf': { lfs: file } } });
  hub.misbehave({ bytesPerSecond: 500_000, only: /^\/large-files\// });
  await signIn(page, daemon);
  const hardware: Hardware = await (await page.request.get(`${daemon.url}/v2/provider/local`)).json();
  const machine = hardware.vendors.find(({ name }) => name === 'local')?.regions[0];
  const { instanceType, instanceSize } = machine?.computes.find(({ accelerator }) => accelerator === 'cpu') ?? {};
  await open('#/models?tab=endpoints');
  const made = await page.request.post(`${daemon.url}/v2/endpoint/local`, {
    data: {
      ...{ name: 'tiny', type: 'public', provider: { vendor: 'local', region: 'this-machine' } },
      compute: { accelerator: 'cpu', instanceType, instanceSize, scaling: { minReplica: 0, maxReplica: 1 } },
      model: {
        ...{ repository: 'ada/tiny', framework: 'llamacpp' },
        image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: 'tiny.gguf' } },
      },
    },
  });
  expect(made.status()).toBe(200);
  const row = page.getByRole('row', { name: /^tiny/ });
  const bar = page.getByRole('progressbar', { name: 'Download the model' });
  await expect(page.getByText(/^Downloading [1-5](\.\d)? of 6\.4 MB, \d.* left$/)).toBeVisible();
  const share = Number(await bar.getAttribute('aria-valuenow'));
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(share);
  await page.getByRole('button', { name: 'Pause tiny' }).click();
  await expect(row).toContainText('paused');

  hub.misbehave({});
  await page.getByRole('button', { name: 'Resume tiny' }).click();
  await expect(row).toContainText('running');
  expect(
    hub.requests.some(({ path, range }) => path.startsWith('/large-files/') && /bytes=[1-9]/.test(range ?? '')),
  ).toBe(true);

  await page.getByRole('tab', { name: 'This machine' }).click();
  const files = page.getByRole('region', { name: 'Downloaded model files' });
  await expect(files.getByRole('listitem')).toContainText('ada/tiny · 6.4 MB · used by tiny');
  await page.getByRole('tab', { name: 'Endpoints 1' }).click();
  await deleteEndpoint(page, 'tiny');
  await page.getByRole('tab', { name: 'This machine' }).click();
  await expect(files).toContainText('not used');
  await files.getByRole('button', { name: 'Remove tiny.gguf' }).click();
  await page.getByRole('button', { name: 'Remove it and free 6.4 MB' }).click();
  await expect(files).toContainText('None yet: a deploy');
});
