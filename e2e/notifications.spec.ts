/** The bell and the mail, by mouse and by keyboard: an endpoint fails, the bell tells, a mail server is set up, its mail arrives. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createOwnFileEndpoint } from '../daemon/testing/endpoints/own-file-endpoint.ts';
import { startMailServer, type TestMailServer } from '../daemon/testing/mail/mail-server-for-tests.ts';
import { expectAccessible } from './accessible.ts';
import { addCatalogModel } from './catalog-model.ts';
import { newDeployToken, signIn } from './deploy-token.ts';
import { type Daemon, expect, statusBar } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import { test } from './with-hub.ts';

test.use({ hubOptions: { name: 'notifications', spaces: [] } });

const login = { user: 'ada', password: 'the right one' };
let mail: TestMailServer;
test.beforeAll(async () => {
  mail = await startMailServer({ login });
});
test.afterAll(() => mail[Symbol.asyncDispose]());

const bell = (page: Page) => statusBar(page).getByRole('button', { name: /^Notifications/ });
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

/** An endpoint whose model file is no model. */
async function deployBroken(daemon: Daemon, name: string): Promise<void> {
  const modelPath = join(daemon.dataDir, `${name}.gguf`);
  writeFileSync(modelPath, 'not a model');
  const headers = { authorization: `Bearer ${await newDeployToken(daemon)}` };
  const notifications = { push: true, email: true };
  await createOwnFileEndpoint(daemon.url, headers, { namespace: 'local', name, modelPath, notifications });
}

test('an endpoint that fails is in the bell, which a mouse opens, marks and clears', async ({ page, open, daemon }) => {
  await open();
  await bell(page).click();
  await expect(list(page)).toContainText('Nothing new');
  await expectAccessible(page, 'notifications-none');
  await page.keyboard.press('Escape');
  await expect(bell(page)).toBeFocused();

  await deployBroken(daemon, 'broken');
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new');
  await expect(page.getByRole('status').filter({ hasText: 'local/broken failed.' })).toBeAttached();
  await deployBroken(daemon, 'another-with-a-rather-long-name');
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 new');
  await expectAccessible(page, 'home-with-notifications');
  await bell(page).click();
  await expect(list(page)).toContainText('It could not be mailed: No mail server was set up.');
  await expectAccessible(page, 'notifications');
  await list(page).getByRole('link', { name: 'broken', exact: true }).click();
  await expect(list(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'broken' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'broken', exact: true })).toContainText('failed');
  await expect(page.getByRole('main')).toContainText('It sends no mail: no mail server is set up in Settings.');
  // Opened, all of it counts as read.
  await expect(bell(page)).toHaveAccessibleName('Notifications');

  await bell(page).click();
  await list(page).getByRole('button', { name: 'Dismiss all' }).click();
  await expect(list(page)).not.toContainText('Needs attention');
  await list(page).getByRole('button', { name: 'Clear' }).click();
  await expect(list(page)).toContainText('Nothing new');
});

test('the bell by keyboard alone: by Tab, and by the palette', async ({ page, open, daemon }) => {
  await open();
  await deployBroken(daemon, 'by-keyboard');
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new');
  const keyboard = new Keyboard(page);
  await keyboard.afresh('#/');
  await keyboard.press('Control+k');
  await keyboard.type('notific');
  await keyboard.press('Enter');
  await expect(list(page)).toContainText('by-keyboard failed');
  await keyboard.press('Escape');
  await expect(list(page)).toBeHidden();
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await bell(page).focus();
  await keyboard.press('Enter');
  await expect(list(page)).toContainText('by-keyboard failed');
  await keyboard.press('Escape');
  await expect(bell(page)).toBeFocused();
});

test('a mail server is set up: a wrong password says so, then the test mail arrives, then the news of an endpoint', async ({
  page,
  open,
  daemon,
  hub,
}) => {
  await addCatalogModel(hub, daemon, 'Qwen/Qwen3-0.6B-GGUF');
  await signIn(page, daemon);
  await open('#/settings?section=mail');
  const section = page.getByRole('region', { name: 'Mail' });
  await expect(section).toBeInViewport();
  await section.getByLabel('Mail server', { exact: true }).fill('smtp://localhost');
  await section.getByLabel('Recipient').fill('ada');
  await expectAccessible(page, 'settings-mail-invalid');
  await section.getByLabel('Mail server', { exact: true }).fill('127.0.0.1');
  await section.getByRole('radio', { name: 'None' }).check();
  await section.getByLabel('Port').fill(String(mail.port));
  await section.getByLabel('User name').fill(login.user);
  await section.getByLabel('Password of the mail server').fill('the wrong one');
  await section.getByLabel('Sender').fill('robot@example.org');
  await section.getByLabel('Recipient').fill('ada@example.org');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByRole('button', { name: 'Send a test mail' }).click();
  await expect(section.getByRole('alert')).toHaveText(
    /^127\.0\.0\.1 does not accept the user name ada with this password\. Enter them again\./,
  );
  await expectAccessible(page, 'settings-mail-refused');
  await section.getByLabel('Password of the mail server').fill(login.password);
  await section.getByRole('button', { name: 'Save the changes' }).click();
  await expect(section.getByRole('button', { name: 'Save the changes' })).toBeDisabled();
  await section.getByRole('button', { name: 'Send a test mail' }).click();
  await expect(section).toContainText('The server accepted a test mail to ada@example.org.');
  expect(mail.mails.map(({ to, raw }) => [to, /^Subject: (.+?) \(/m.exec(raw)?.[1]])).toEqual([
    [['ada@example.org'], 'Test mail of Robot Desktop'],
  ]);
  await expectAccessible(page, 'settings-mail');

  await open('#/models/Qwen/Qwen3-0.6B-GGUF');
  await page.getByRole('button', { name: 'Deploy Qwen3-0.6B-GGUF' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch', { name: 'Mail' }).check();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('mailed');
  await dialog.getByRole('button', { name: 'Deploy', exact: true }).click();
  // The file on the tests' hub is not a model.
  await expect(page.getByRole('row', { name: /^mailed/ })).toContainText('failed');
  await expect.poll(() => mail.mails.length).toBe(2);
  expect(mail.mails[1]?.raw).toMatch(/^Subject: local\/mailed failed \(/m);

  await open('#/settings?section=mail');
  await section.getByRole('button', { name: 'Forget 127.0.0.1' }).click();
  await expect(section.getByRole('button', { name: 'Save' })).toBeVisible();
});
