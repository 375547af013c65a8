/** A recipe whose engine runs in a container: deployed in the dashboard, followed, scaled, asked while asleep, deleted. */
import { expectAccessible } from './accessible.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { newDeployToken, signIn } from './deploy-token.ts';
import { expect } from './fixtures.ts';
import { test } from './with-containers.ts';

test.use({ hubOptions: { name: 'containers', spaces: [] } });

const MODEL = 'BAAI/bge-base-en-v1.5';

test('a recipe of a container is deployed, follows its image and model to an answer, takes new settings without a restart, and answers from its cache while asleep', async ({
  page,
  open,
  daemon,
  hub,
  containers: { engine, registry },
}) => {
  await hub.addModel({
    id: MODEL,
    files: { 'config.json': '{}', 'model.safetensors': { lfs: Buffer.alloc(2_000_000) } },
  });
  registry.misbehaviour = { pauseMs: 150 };
  const token = await newDeployToken(daemon);
  await signIn(page, daemon);
  await open('#/models?tab=machine');
  const programs = page.getByRole('region', { name: 'Programs that run models' });
  await expect(programs.getByRole('listitem').filter({ hasText: 'Podman' })).toContainText('ready');

  await open(`#/models/${MODEL}`);
  await page.getByRole('button', { name: 'Deploy bge-base-en-v1.5' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy bge-base-en-v1.5' });
  await expect(dialog.getByRole('region', { name: 'Summary' })).toContainText('this machine');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('words');
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await page.getByRole('link', { name: 'words', exact: true }).click();
  const steps = page.getByRole('list', { name: 'Steps of the start' });
  await expect(steps.getByRole('listitem').filter({ hasText: 'Download the image' })).toHaveAttribute(
    'aria-current',
    'step',
  );
  await expect(page.getByText(/\d of \d layers|Downloading/)).toBeVisible();
  registry.misbehaviour = null;
  const state = page.getByRole('region', { name: 'words', exact: true });
  await expect(state).toContainText('running');
  const replicas = page.getByRole('list', { name: 'Replicas' }).getByRole('listitem');
  await expect(replicas).toHaveCount(1);
  await expect(replicas).toContainText(/ready.*Container [0-9a-f]{12}/);
  await expectAccessible(page, 'endpoint-in-a-container');
  const container = await replicas.locator('.mono').textContent();

  const ask = (more: Record<string, string> = {}) =>
    fetch(`${daemon.url}/endpoints/local/words/embed`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
      body: JSON.stringify({ inputs: 'Hello' }),
    });
  const first = await ask();
  expect([first.status, first.headers.get('x-cache')]).toEqual([200, null]);
  const answer = await first.text();

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'At most' }).fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('switch', { name: 'Keep answers' }).click();
  await expect(page.getByRole('switch', { name: 'Keep answers' })).toBeChecked();
  expect(await (await ask()).text()).toBe(answer);
  const kept = await ask();
  expect([kept.headers.get('x-cache'), await kept.text()]).toEqual(['HIT', answer]);

  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(replicas.locator('.mono')).toHaveText(container ?? '');
  await page.getByRole('button', { name: 'Sleep words' }).click();
  await expect(state).toContainText('asleep');
  await expect.poll(() => engine.podman('ps', '--all', '--quiet')).toBe('');
  const asleep = await ask();
  expect([asleep.headers.get('x-cache'), await asleep.text()]).toEqual(['HIT', answer]);
  await expect(state).toContainText('asleep');
  expect((await fetch(`${daemon.url}/endpoints/local/words/embed`, { method: 'POST', body: '{}' })).status).toBe(401);

  expect(await (await ask({ 'x-use-cache': 'false', 'x-scale-up-timeout': '60' })).text()).toBe(answer);
  await expect(state).toContainText('running');
  await deleteEndpoint(page, 'words');
  await expect(page.getByRole('heading', { name: 'There are no endpoints' })).toBeVisible();
  expect(await engine.podman('ps', '--all', '--quiet')).toBe('');
});
