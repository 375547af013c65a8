/** The stations of the life of `chat_reply` with a model, for a hand of your choice; each begins where the one before it ended. */
import { rename } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { card, type Daemon, expect } from './fixtures.ts';
import type { Hand } from './hands.ts';

export const main = (page: Page) => page.getByRole('main');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
export const field = (page: Page) => page.getByRole('combobox', { name: 'Endpoint for chat' });
export const need = (page: Page) => main(page).getByRole('list', { name: 'Models it uses' });
/** Start of the app's page, whose name is a part of that of Restart. */
const start = (page: Page) => main(page).getByRole('button', { name: 'Start Chat reply', exact: true });
export const row = (page: Page, name = 'tiny') => page.getByRole('row', { name: new RegExp(`^${name}`) });
export const message = (settings: Page) => settings.getByRole('textbox', { name: 'Your message' });
export const status = (settings: Page) => settings.getByRole('status');
export const reply = (settings: Page) => settings.getByRole('listitem').filter({ hasText: /^Robot/ });

export interface Journey {
  readonly page: Page;
  readonly hand: Hand;
  readonly daemon: Daemon;
  /** The model file. */
  readonly file: string;
}

export async function installedWithoutModel({ page, hand }: Journey): Promise<void> {
  const sample = card(page, 'Chat reply');
  await expect(sample).toContainText('Needs a chat model · Comes with Robot Desktop, installs without a network');
  await hand.press(sample.getByRole('button', { name: 'Install Chat reply' }));
  await hand.expectFocus(sample.getByRole('button', { name: 'Start Chat reply' }));
  await hand.press(sample.getByRole('button', { name: 'Start Chat reply' }));
  await expect(sample.getByRole('alert')).toContainText('"chat_reply" needs a model for "chat" (text-generation).');
  await hand.press(sample.getByRole('link', { name: 'Choose a model' }));
  await expect(field(page)).toBeFocused();
  await expect(main(page).getByText('There is no endpoint with a chat model yet.')).toBeVisible();
  await expectAccessible(page, 'app-needs-none');
}

export async function ownFileDeployed({ page, hand, file }: Journey): Promise<void> {
  await hand.press(main(page).getByRole('link', { name: 'Use your own GGUF file for chat' }));
  await hand.expectFocus(title(page, 'Models'));
  const own = page.getByRole('region', { name: 'Your own model file' });
  await hand.fill(own.getByRole('textbox', { name: 'Path' }), file);
  await hand.send(own.getByRole('button', { name: 'Check' }));
  await hand.expectFocus(own.getByRole('textbox', { name: 'Path' }));
  await hand.press(own.getByRole('button', { name: 'Deploy…' }));
  const dialog = page.getByRole('dialog', { name: 'Deploy Tiny_Model.gguf' });
  await expect(dialog.locator(':focus')).toBeVisible();
  await hand.fill(dialog.getByRole('textbox', { name: 'Name' }), 'tiny');
  await hand.send(dialog.getByRole('button', { name: 'Deploy' }));
  await expect(row(page)).toContainText('running');
  await hand.expectFocus(page.getByRole('tab', { name: 'Endpoints 1' }));
}

export async function triedInThePlayground({ page, hand }: Journey): Promise<void> {
  await hand.press(row(page).getByRole('link', { name: 'tiny', exact: true }));
  await hand.expectFocus(title(page, 'tiny'));
  await hand.switchTo(page.getByRole('tab', { name: 'Try it' }));
  const box = page.getByRole('textbox', { name: 'Message' });
  await hand.fill(box, 'Hello');
  await hand.send(page.getByRole('button', { name: 'Send' }));
  await expect(main(page).getByText(/^First token after /)).toBeVisible();
  await expect(page.getByRole('article', { name: 'Answer' })).toHaveText(/\S/);
  await hand.expectFocus(box);
}

export async function putToSleep({ page, hand }: Journey): Promise<void> {
  await hand.press(page.getByRole('link', { name: 'Endpoints', exact: true }));
  await hand.expectFocus(row(page).getByRole('link', { name: 'tiny', exact: true })); // back where it came from
  await hand.press(page.getByRole('button', { name: 'Sleep tiny' }));
  await expect(row(page)).toContainText('asleep');
  await hand.expectFocus(page.getByRole('button', { name: 'Wake tiny' }));
}

export async function assigned({ page, hand }: Journey): Promise<void> {
  await openApp({ page, hand });
  await hand.chooseLast(field(page), 'local/tiny');
  await expect(field(page)).toHaveValue('local/tiny');
  await expect(need(page).getByText('asleep', { exact: true })).toBeVisible();
  await hand.expectFocus(field(page));
  await expectAccessible(page, 'app-needs');
}

export async function wokenByTheStart({ page, hand, daemon }: Journey): Promise<void> {
  await hand.press(start(page));
  await expect(main(page).getByText(/^Waking local\/tiny\. .*At most \d+ min more\.\s*$/)).toBeVisible();
  await expect(need(page).getByText('running', { exact: true })).toBeVisible();
  await hand.expectFocus(main(page).getByRole('button', { name: 'Stop Chat reply' }));
  const { life } = await daemon.call('getOwnEndpoint', { params: { namespace: 'local', name: 'tiny' } });
  expect(life.findLast(({ kind }) => kind === 'waking')?.cause).toBe('The start of the app chat_reply woke it.');
}

/** @returns the settings page of the app, after a chat */
export async function chattedWith({ page, hand, daemon }: Journey): Promise<Page> {
  const link = main(page).getByRole('link', { name: 'Settings of Chat reply' });
  const [settings] = await Promise.all([page.waitForEvent('popup'), hand.press(link)]);
  await expect(message(settings)).toBeFocused();
  const there = hand.on(settings);
  await there.fill(message(settings), 'Hello');
  const nodded = lowestAndHighestPitch(daemon);
  await there.send(settings.getByRole('button', { name: 'Send' }));
  await expect(reply(settings)).toHaveText(/^Robot.+/s);
  await expect(status(settings)).toHaveText('');
  const [lowest, highest] = await nodded;
  expect(highest - lowest, 'the head nods').toBeGreaterThan(0.1);
  await there.expectFocus(message(settings));
  await expectAccessible(settings, 'chat-reply-page');
  return settings;
}

/** Killed for good: without its file, the model cannot be served again. */
export async function killed({ page, hand, daemon, file }: Journey, settings: Page): Promise<void> {
  const there = hand.on(settings);
  await rename(file, `${file}.aside`);
  await killModelServer(daemon);
  await there.fill(message(settings), 'Are you there?');
  await there.send(settings.getByRole('button', { name: 'Send' }));
  await expect(status(settings)).toContainText(/^The endpoint local\/tiny \(need "chat"\) /);
  await expect(message(settings)).toHaveValue('Are you there?');
  await there.expectFocus(message(settings));
  await expectAccessible(settings, 'chat-reply-failed');
  await expect(need(page).getByText('failed', { exact: true })).toBeVisible();
  expect((await daemon.slot()).state).toBe('running');
  await there.send(settings.getByRole('button', { name: 'Send' }));
  await expect(status(settings)).toContainText('cannot be used now: "tiny" has failed');
  await there.expectFocus(message(settings));
  await expectAccessible(page, 'app-needs-failed');
}

export async function resumed({ page, hand, file }: Journey, settings: Page): Promise<void> {
  await rename(`${file}.aside`, file);
  await page.bringToFront();
  await hand.expectFocus(main(page).getByRole('link', { name: 'Settings of Chat reply' }));
  await hand.press(need(page).getByRole('button', { name: 'Resume tiny' }));
  await expect(need(page).getByText('running', { exact: true })).toBeVisible();
  await hand.expectFocus(need(page).getByRole('link', { name: /^(See what happened to|Open the page of) tiny$/ }));
  await settings.bringToFront();
  const there = hand.on(settings);
  await there.expectFocus(message(settings));
  await there.send(settings.getByRole('button', { name: 'Send' }));
  await expect(reply(settings)).toHaveCount(2);
  await settings.close();
}

export async function deleted({ page, hand }: Journey): Promise<void> {
  await hand.press(need(page).getByRole('link', { name: /^(See what happened to|Open the page of) tiny$/ }));
  await hand.expectFocus(title(page, 'tiny'));
  await hand.press(page.getByRole('button', { name: 'Delete tiny' }));
  const asked = page.getByRole('dialog', { name: 'Delete tiny' });
  await expect(asked).toContainText('This app loses it: Chat reply.');
  await expect(asked.getByRole('textbox')).toBeFocused();
  await hand.fill(asked.getByRole('textbox'), 'tiny');
  await hand.send(asked.getByRole('button', { name: 'Delete tiny' }));
  await expect(asked).toBeHidden();
  await hand.expectFocus(title(page, 'Models'));
  await openApp({ page, hand });
  await expect(main(page).getByText('local/tiny was deleted: choose another endpoint.')).toBeVisible();
  await expectAccessible(page, 'app-needs-deleted');
  await hand.press(main(page).getByRole('button', { name: 'Stop Chat reply' }));
  await hand.expectFocus(start(page));
  await hand.press(start(page));
  await expect(main(page).getByRole('alert')).toContainText('which "chat_reply" uses for "chat", was deleted.');
  await hand.press(main(page).getByRole('alert').getByRole('link', { name: 'Choose another endpoint' }));
  await expect(field(page)).toBeFocused();
}

async function openApp({ page, hand }: Pick<Journey, 'page' | 'hand'>): Promise<void> {
  await hand.press(pages(page).getByRole('link', { name: 'Apps' }));
  await hand.expectFocus(title(page, 'Apps'));
  await hand.press(card(page, 'Chat reply').getByRole('link', { name: 'Chat reply', exact: true }));
  await hand.expectFocus(title(page, 'Chat reply'));
}

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
  if (!replica?.pid) throw new Error('No process serves the endpoint');
  process.kill(replica.pid, 'SIGKILL');
}
