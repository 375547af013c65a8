/** An app is installed from its folder, and the dialog, the card and Activity report failures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { card, expect, fixtureApp, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'install-from-a-folder' } });

async function ask(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Install…' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(path);
  await page.getByRole('button', { name: 'Install', exact: true }).click();
}

test('a path without an app is refused with a sentence at the field', async ({ page, open, daemon }) => {
  const empty = await mkdtemp(join(tmpdir(), 'robot-desktop-empty-'));
  await open('#/apps');
  await ask(page, 'my_app');
  const path = page.getByRole('textbox', { name: 'Address' });
  const problem = page.getByRole('dialog').getByRole('alert');
  await expect(problem).toContainText('nor the full path of a folder');
  await expect(path).toHaveAttribute('aria-invalid', 'true');
  await expect(path).toHaveAccessibleDescription(/nor the full path/);

  for (const [text, words] of [
    [join(empty, 'nowhere'), 'does not exist'],
    [
      empty,
      'There is no pyproject.toml, so this is not a Python package. Choose the folder that holds pyproject.toml.',
    ],
  ] as const) {
    await path.fill(text);
    await expect(problem).toHaveCount(0);
    await path.press('Enter');
    await expect(problem).toContainText(words);
    await expect(path).toHaveValue(text);
  }
  expect(await daemon.installed()).toEqual([]);
  await rm(empty, { recursive: true });
});

test('the folder of an app is installed and started from the same dialog', async ({ page, open, daemon }) => {
  await open('#/apps');
  await ask(page, fixtureApp('polite'));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('status')).toHaveText('Polite is installed.');
  await dialog.getByRole('button', { name: 'Start Polite' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(card(page, 'Polite')).toContainText('running');
  await page.getByRole('link', { name: 'polite' }).first().click();
  await page.getByRole('tab', { name: 'Output' }).click();
  await expect(page.getByRole('log', { name: 'Output' })).toContainText('ready');
  await daemon.freeSlot();
});

test('a cancelled install leaves nothing', async ({ page, open, daemon }) => {
  const before = await daemon.traces();
  await open('#/apps');
  await ask(page, fixtureApp('slow_to_import'));
  await expect(page.getByRole('dialog').getByRole('progressbar')).toHaveAttribute(
    'aria-valuetext',
    'step 6 of 7: Test the import',
  );
  // The dialog can be closed: the install continues in its card.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(card(page, 'slow_to_import')).toContainText('installing');
  await page.getByRole('button', { name: 'Cancel install of slow_to_import' }).click();
  await expect(card(page, 'slow_to_import')).toHaveCount(0);
  await page.getByRole('link', { name: 'Activity' }).click();
  await expect(card(page, 'Install slow_to_import')).toContainText('cancelled');
  expect(await daemon.traces()).toEqual(before);
  expect(await daemon.children()).toEqual([]);
});

test('an app that cannot be imported is reported with the cause, the advice and the log lines', async ({
  page,
  open,
  daemon,
}) => {
  const before = await daemon.traces();
  await open('#/apps');
  await ask(page, fixtureApp('crashes_at_import'));
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The app cannot be imported');
  await page.keyboard.press('Escape');
  const log = page.getByRole('link', { name: 'See the log of the install of crashes_at_import' });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(log).toHaveCount(0);

  // No dialog has shown this failure, so the Installed tab does.
  expect(await daemon.install(fixtureApp('crashes_at_import'))).toMatchObject({ state: 'failed' });
  await expect(page.getByRole('listitem').filter({ has: log })).toContainText('The app cannot be imported');
  await log.click();
  const job = card(page, 'Install crashes_at_import').first();
  await expect(job).toContainText("ModuleNotFoundError: No module named 'a_module_that_is_not_there'");
  await expect(job).toContainText(
    'Ask the author to add a_module_that_is_not_there to the dependencies in pyproject.toml.',
  );
  await expect(job).toContainText('import a_module_that_is_not_there');
  await job.getByRole('button', { name: 'Full log of crashes_at_import' }).click();
  await expect(job.getByRole('log', { name: 'Log of crashes_at_import' })).toContainText('files copied');
  expect(await daemon.traces()).toEqual(before);
});
