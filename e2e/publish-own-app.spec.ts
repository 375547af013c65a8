/** A person publishes an app that they write, and uses it as anybody would: finds, installs and starts it, then updates it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './accessible.ts';
import { card, expect } from './fixtures.ts';
import { test } from './with-hub.ts';

/** A publication and an install share the machine with other tests. */
const BUILD = { timeout: 60_000 };

test.use({ hubOptions: { name: 'publish-own-app', spaces: [] } });
test.afterEach(({ daemon }) => daemon.freeSlot());

test('an app is published privately after a sign-in, found in Discover, installed, used, and published again with the next version', async ({
  page,
  open,
  daemon,
  hub,
}) => {
  hub.addToken('hf_read', { name: 'ann', role: 'read' });
  hub.addToken('hf_write', { name: 'ann', role: 'write' });
  const home = await mkdtemp(join(tmpdir(), 'robot-desktop my apps-'));
  const wanted = { name: 'Wave hello', destination: home, template: 'default' } as const;
  const { id } = await daemon.call('createOwnApp', { body: wanted });
  await open(`#/apps/own/${id}?tab=publish`);
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish Wave hello' });
  await expect(dialog.getByRole('textbox', { name: 'Access token of the hub' })).toBeFocused();
  await expectAccessible(page, 'publish-sign-in');
  await dialog.getByRole('textbox', { name: 'Access token of the hub' }).fill('hf_read');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/may only read the hub/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Access token of the hub' }).fill('hf_write');
  await page.keyboard.press('Enter');

  await expect(dialog.getByText(/will be uploaded to ann\/wave-hello, which only you see/)).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Private' })).toBeChecked();
  await expect(dialog.getByRole('rowheader', { name: 'pyproject.toml' })).toBeVisible();
  await expectAccessible(page, 'publish-first');
  await dialog.getByRole('button', { name: 'Publish privately' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'See the Space' })).toBeVisible(BUILD);
  await expectAccessible(page, 'published');

  await page.getByRole('link', { name: 'Find it in Discover' }).click();
  const inStore = card(page, 'ann/wave-hello');
  await expect(inStore).toContainText('private');
  await inStore.getByRole('button', { name: 'Install Wave hello' }).click();
  await expect(inStore).toContainText('0.1.0 · installed', BUILD);
  await page.getByRole('tab', { name: 'Installed' }).click();
  const installed = card(page, 'Wave hello');
  await installed.getByRole('button', { name: 'Start Wave hello' }).click();
  const link = installed.getByRole('link', { name: 'Settings of Wave hello' });
  const [settings] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  const speed = settings.getByLabel('How fast');
  await expect(speed).toBeEnabled();
  await speed.fill('2.5');
  await settings.reload();
  await expect(speed).toHaveValue('2.5');
  await settings.close();
  await installed.getByRole('button', { name: 'Stop Wave hello' }).click();
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  expect((await daemon.call('listRuns')).at(0)).toMatchObject({ appName: 'wave_hello', outcome: 'stopped' });

  await writeFile(join(home, 'wave_hello', 'notes.txt'), 'one more file\n');
  await open(`#/apps/own/${id}?tab=publish`);
  await page.getByRole('button', { name: 'Publish an update…' }).click();
  await expect(dialog.getByText('0.1.0 → 0.1.1')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /^notes\.txt new/ })).toBeVisible();
  await expectAccessible(page, 'publish-update');
  await dialog.getByRole('button', { name: 'Publish 0.1.1' }).click();
  await expect(page.getByText(/^0\.1\.1, /)).toBeVisible(BUILD);
  await page.getByRole('button', { name: 'Publish an update…' }).click();
  await expect(dialog.getByText(/there is nothing to publish/)).toBeVisible();
  await rm(home, { recursive: true });
});
