/** The page of an app of the template `conversation`, with its scripted partner. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../daemon/assistant/create/create-app.ts';
import { projectDir } from '../daemon/testing/daemon/test-daemon.ts';
import { expectAccessible } from './accessible.ts';
import { card, expect, test } from './fixtures.ts';

const templatesDir = join(projectDir, 'assets', 'app-templates');

test.use({ daemonOptions: { name: 'conversation-template' } });
test.afterEach(({ daemon }) => daemon.freeSlot());

test('a person types, is answered, interrupts by typing, and reads that the app has stopped', async ({
  page,
  open,
  daemon,
}) => {
  const destination = await mkdtemp(join(tmpdir(), 'robot-desktop-talk-'));
  const { folder } = await createApp({ name: 'Small talk', destination, template: 'conversation' }, { templatesDir });
  await daemon.ensureInstalled(folder);
  await open('#/apps');
  const own = card(page, 'Small talk');
  await own.getByRole('button', { name: 'Start Small talk' }).click();
  const link = own.getByRole('link', { name: 'Settings of Small talk' });
  const [talk] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  const message = talk.getByRole('textbox', { name: 'Your message' });
  const status = talk.getByRole('status');
  const said = talk.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
  await expect(talk.getByText('You talk with a script: no chat model is chosen.')).toBeVisible();
  await expect(status).toHaveText('Listening.');
  await expect(message).toBeFocused();

  await message.fill('Who are you?');
  await message.press('Enter');
  await expect(said.first()).toHaveText('YouWho are you?');
  // Again, should the test be too slow to interrupt it.
  await expect(async () => {
    await message.fill('What can you do?');
    await message.press('Enter');
    await expect(status).toHaveText('Speaking…');
    await message.pressSequentially('W');
    await expect(said.last()).toContainText('(interrupted)', { timeout: 1_000 });
  }).toPass();
  await expect(status).toHaveText('Listening.');
  await message.pressSequentially('hy <b>not</b>?');
  await talk.getByRole('button', { name: 'Send' }).click();
  await expect(said.filter({ hasText: /^YouWhy <b>not<\/b>\?$/ })).toHaveCount(1);
  await expect(said.last()).toContainText(/^Robot \(script\)I am only a script/);
  await talk.getByRole('slider', { name: 'How much the head moves with the voice' }).fill('1.5');
  await expect(talk.getByRole('alert')).toHaveText('');
  const count = await said.count();
  await talk.reload();
  await expect(said).toHaveCount(count);
  await expect(talk.getByRole('slider')).toHaveValue('1.5');
  await expectAccessible(talk, 'conversation-page');

  await own.getByRole('button', { name: 'Stop Small talk' }).click();
  await expect(status).toHaveText('Small talk does not answer. Start it in Robot Desktop.');
  await message.fill('Still there?');
  await message.press('Enter');
  await expect(talk.getByRole('alert')).toHaveText('Small talk does not answer. Start it in Robot Desktop.');
  await expect(message).toHaveValue('Still there?');
  await rm(destination, { recursive: true, force: true });
});
