/** Menus that copy, and dialogs that ask and undo, can be read and used: in both themes, on narrow and wide windows. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCli } from '../daemon/testing/daemon/run-cli.ts';
import { expectAccessible } from './accessible.ts';
import { expect, fixtureApp, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'looks-of-menus', apps: [fixtureApp('polite')] } });

test('a reset and the question of its undo can be read in every size and theme', async ({ page, open, daemon }) => {
  const saved = join(daemon.dataDir, 'apps', 'polite', 'files', 'scores.json');
  await mkdir(dirname(saved), { recursive: true });
  await writeFile(saved, '12345');
  await open('#/apps/polite?reset=');
  const dialog = page.getByRole('dialog', { name: 'Reset Polite' });
  await expect(dialog.getByRole('list', { name: 'Files' })).toContainText('scores.json');
  await expectAccessible(page, 'app-reset-files');
  await dialog.getByRole('button', { name: 'Reset Polite' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText('Polite was reset.');
  await expectAccessible(page, 'app-reset-done');
  await mkdir(dirname(saved), { recursive: true });
  await writeFile(saved, '6');
  await page.getByRole('button', { name: 'Undo the reset' }).click();
  await expect(page.getByRole('button', { name: 'Undo the reset and lose that' })).toBeVisible();
  await expectAccessible(page, 'app-reset-undo');
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a menu that copies can be read in every size and theme', async ({ page, open }) => {
  await open('#/apps/polite');
  await page.getByRole('button', { name: 'More for Polite' }).click();
  await page.getByRole('menuitem', { name: 'Copy as command or request' }).click();
  await expect(page.getByRole('menuitem', { name: 'Copy “Start” as command' })).toBeVisible();
  await expectAccessible(page, 'app-copy-menu');
});

test('the tokens and the end of one can be read in every size and theme', async ({ page, open, daemon }) => {
  await page.goto((await runCli('sign-in', '--data-dir', daemon.dataDir)).out.trim());
  await open('#/settings');
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await tokens.getByLabel('Name of the token').fill('living-room');
  await tokens.getByRole('button', { name: 'Make a token' }).click();
  await tokens.getByRole('button', { name: 'Hide it' }).click();
  await tokens.getByRole('button', { name: 'Revoke living-room' }).scrollIntoViewIfNeeded();
  await expectAccessible(page, 'settings-tokens');
  await tokens.getByRole('button', { name: 'Revoke living-room' }).click();
  await expect(page.getByRole('dialog', { name: 'Revoke living-room' })).toBeVisible();
  await expectAccessible(page, 'settings-revoke');
});

test('a search that only models find that do not fit can be read in every size and theme', async ({ page, open }) => {
  await open('#/models?search=meta-llama+3.3');
  await expect(page.getByRole('link', { name: 'Look among those that do not fit' })).toBeVisible();
  await expectAccessible(page, 'models-none-fit');
});
