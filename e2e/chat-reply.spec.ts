/**
 * An app that uses a model, from the install to the loss of its endpoint: by mouse, then by keyboard. The tiny model
 * writes nonsense, quickly.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeTinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { expectAccessible } from './accessible.ts';
import { signIn } from './deploy-token.ts';
import { test as base, card, type Daemon, expect, sampleApp } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';

const test = base.extend<{ keyboard: Keyboard }>({ keyboard: ({ page }, use) => use(new Keyboard(page)) });

test.use({ daemonOptions: { name: 'chat-reply' } });
test.setTimeout(120_000);
test.afterEach(({ daemon }) => daemon.freeSlot());

const START = { timeout: 30_000 };
const main = (page: Page) => page.getByRole('main');
const field = (page: Page) => page.getByRole('combobox', { name: 'Endpoint for chat' });
const row = (page: Page, name = 'tiny') => page.getByRole('row', { name: new RegExp(`^${name}`) });
const reply = (settings: Page) => settings.getByRole('listitem').filter({ hasText: /^Robot/ });

test('chat_reply gets a model by mouse: deployed, assigned, woken at the start; it says what happens to it', async ({
  page,
  open,
  daemon,
}) => {
  const file = writeTinyGguf(join(daemon.dataDir, 'Tiny_Model.gguf'));
  await signIn(page, daemon);
  await open('#/apps?tab=samples');
  const sample = card(page, 'chat_reply');
  await expect(sample).toContainText('Needs a chat model · Comes with Robot Desktop, installs without a network');
  await sample.getByRole('button', { name: 'Install Chat reply' }).click();
  await sample.getByRole('button', { name: 'Start chat_reply' }).click(START);
  await expect(sample.getByRole('alert')).toContainText('"chat_reply" needs a model for "chat" (text-generation).');
  await sample.getByRole('link', { name: 'Choose a model' }).click();
  await expect(field(page)).toBeFocused();
  await expect(main(page).getByText('There is no endpoint for chat models yet.')).toBeVisible();
  await expectAccessible(page, 'app-needs-none');

  await main(page).getByRole('link', { name: 'Use your own GGUF file for chat' }).click();
  const own = page.getByRole('region', { name: 'Your own model file' });
  await own.getByRole('textbox', { name: 'Path' }).fill(file);
  await own.getByRole('button', { name: 'Check' }).click();
  await own.getByRole('button', { name: 'Deploy…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy Tiny_Model.gguf' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('tiny');
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await expect(row(page)).toContainText('running', START);
  await row(page).getByRole('link', { name: 'tiny', exact: true }).click();
  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.keyboard.press('Enter');
  await expect(main(page).getByText(/^First token after /)).toBeVisible(START);
  await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
  await page.getByRole('button', { name: 'Sleep tiny' }).click();
  await expect(row(page)).toContainText('asleep');

  await open('#/apps/chat_reply');
  await field(page).selectOption('local/tiny');
  const need = main(page).getByRole('list', { name: 'Models it uses' });
  await expect(need.getByText('asleep', { exact: true })).toBeVisible();
  await expectAccessible(page, 'app-needs');
  await main(page).getByRole('button', { name: 'Start chat_reply' }).click();
  await expect(main(page).getByText(/^Waking local\/tiny\. .*At most \d+ min more\.$/)).toBeVisible();
  await expect(need.getByText('running', { exact: true })).toBeVisible(START);

  const link = main(page).getByRole('link', { name: 'Settings of chat_reply' });
  const [settings] = await Promise.all([page.waitForEvent('popup'), link.click(START)]);
  const text = settings.getByRole('textbox', { name: 'Your message' });
  await text.fill('Hello');
  const nodded = lowestAndHighestPitch(daemon);
  await settings.getByRole('button', { name: 'Send' }).click();
  await expect(reply(settings)).toHaveText(/^Robot.+/s, START);
  await expect(settings.getByRole('status')).toHaveText('', START);
  const [lowest, highest] = await nodded;
  expect(highest - lowest, 'the head nods').toBeGreaterThan(0.1);
  await expectAccessible(settings, 'chat-reply-page');

  // Killed for good: without its file, the model cannot be served again.
  await rename(file, `${file}.aside`);
  await killModelServer(daemon);
  await text.fill('Are you there?');
  await text.press('Enter');
  await expect(settings.getByRole('status')).toContainText(/^The endpoint local\/tiny \(need "chat"\) /, START);
  await expect(text).toHaveValue('Are you there?');
  await expectAccessible(settings, 'chat-reply-failed');
  await expect(need.getByText('failed', { exact: true })).toBeVisible(START);
  expect((await daemon.slot()).state).toBe('running');
  await text.press('Enter');
  await expect(settings.getByRole('status')).toContainText('cannot be used now: "tiny" has failed', START);
  await expectAccessible(page, 'app-needs-failed');

  await rename(`${file}.aside`, file);
  await need.getByRole('button', { name: 'Resume tiny' }).click();
  await expect(need.getByText('running', { exact: true })).toBeVisible(START);
  await text.press('Enter');
  await expect(reply(settings)).toHaveCount(2, START);
  await settings.close();

  await need.getByRole('link', { name: 'See the endpoint' }).click();
  await page.getByRole('button', { name: 'Delete tiny' }).click();
  const asked = page.getByRole('dialog', { name: 'Delete tiny' });
  await expect(asked).toContainText('chat_reply');
  await asked.getByRole('textbox').fill('tiny');
  await asked.getByRole('button', { name: 'Delete tiny' }).click();
  await expect(asked).toBeHidden();
  await open('#/apps/chat_reply');
  await expect(main(page).getByText('local/tiny was deleted: choose another endpoint.')).toBeVisible();
  await expectAccessible(page, 'app-needs-deleted');
  await main(page).getByRole('button', { name: 'Stop chat_reply' }).click();
  await main(page).getByRole('button', { name: 'Start chat_reply' }).click(START);
  await expect(main(page).getByRole('alert')).toContainText('which "chat_reply" uses for "chat", was deleted.');
});

test('chat_reply gets a model by keyboard alone', async ({ page, open, daemon, keyboard }) => {
  const file = writeTinyGguf(join(daemon.dataDir, 'Tiny_Model.gguf'));
  await daemon.ensureInstalled(sampleApp('chat_reply'));
  await signIn(page, daemon);
  await open('#/models?tab=machine');
  await keyboard.tabTo(page.getByRole('textbox', { name: 'Path' }));
  await keyboard.type(file);
  await keyboard.press('Enter');
  await expect(page.getByRole('status', { name: 'The file has been checked' })).toBeVisible();
  await keyboard.tabTo(page.getByRole('button', { name: 'Deploy…' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible();
  await keyboard.tabTo(page.getByRole('textbox', { name: 'Name' }));
  await keyboard.press('Control+a');
  await keyboard.type('poet');
  await keyboard.press('Enter');
  await expect(row(page, 'poet')).toContainText('running', START);
  await keyboard.tabTo(page.getByRole('button', { name: 'Sleep poet' }));
  await keyboard.press('Enter');
  await expect(row(page, 'poet')).toContainText('asleep');

  await keyboard.run('start chat_reply', 'Start chat_reply');
  await keyboard.tabTo(main(page).getByRole('link', { name: /^Choose (a model|another endpoint)$/ }));
  await keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await keyboard.press('Home');
  await keyboard.press('End');
  await expect(field(page)).toHaveValue('local/poet');
  await expect(main(page).getByText('asleep', { exact: true })).toBeVisible();
  await keyboard.press('Tab'); // a list keeps the keys of shortcuts for itself
  await keyboard.run('start chat_reply', 'Start chat_reply');
  await expect(main(page).getByText(/^Waking local\/poet\./)).toBeVisible();
  // Stopped while it wakes, and started again.
  await keyboard.press('Control+.');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  await keyboard.run('start chat_reply', 'Start chat_reply');

  const link = main(page).getByRole('link', { name: 'Settings of chat_reply' });
  await expect(link).toBeVisible(START);
  await keyboard.tabTo(link, 'Shift+Tab');
  const [settings] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  const typed = new Keyboard(settings);
  await expect(settings.getByRole('textbox', { name: 'Your message' })).toBeFocused();
  await typed.type('Hello');
  await typed.press('Enter');
  await expect(reply(settings)).toHaveText(/^Robot.+/s, START);

  await page.bringToFront();
  await keyboard.run('endpoints', 'Endpoints');
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeFocused();
  await keyboard.tabTo(page.getByRole('button', { name: 'Pause poet' }));
  await keyboard.press('Enter');
  await expect(row(page, 'poet')).toContainText('paused');
  await typed.type('Still there?');
  await typed.press('Enter');
  await expect(settings.getByRole('status')).toHaveText(
    `The endpoint local/poet (need "chat") cannot be used now: "poet" is paused. Resume it to use it.`,
  );
  await keyboard.tabTo(page.getByRole('button', { name: 'Resume poet' }));
  await keyboard.press('Enter');
  await expect(row(page, 'poet')).toContainText('running', START);
  await typed.press('Enter');
  await expect(reply(settings)).toHaveCount(2, START);
  await typed.tabTo(settings.getByRole('button', { name: 'New conversation' }), 'Shift+Tab');
  await typed.press('Enter');
  await expect(reply(settings)).toHaveCount(0);

  await keyboard.press('Control+.');
  await expect(settings.getByRole('status')).toHaveText('Chat reply has stopped. Start it in Robot Desktop.', START);
  await keyboard.tabTo(page.getByRole('button', { name: 'Delete poet' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Delete poet' })).toContainText('chat_reply');
});

/** The lowest and the highest pitch of the head in the next seconds, in rad. */
async function lowestAndHighestPitch(daemon: Daemon): Promise<readonly [number, number]> {
  const pitches: number[] = [];
  for (let sample = 0; sample < 40; sample += 1) {
    const { pose } = await daemon.robot();
    pitches.push(Math.asin(-(pose.head[8] ?? 0)));
    await new Promise((resolve) => setTimeout(resolve, 75));
  }
  return [Math.min(...pitches), Math.max(...pitches)];
}

/** Kills the process that serves the endpoint, as the system does when memory runs out. */
async function killModelServer(daemon: Daemon): Promise<void> {
  const { endpoints } = await daemon.call('listOwnEndpoints', { query: { name: 'tiny' } });
  const [replica] = endpoints[0]?.report.replicas ?? [];
  if (!replica) throw new Error('No process serves the endpoint');
  process.kill(replica.pid, 'SIGKILL');
}
