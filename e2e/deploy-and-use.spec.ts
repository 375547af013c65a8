/** A model file of the user's own: deployed in the dashboard, called, asleep, awake, deleted. */
import { join } from 'node:path';
import { writeTinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { newDeployToken, signIn } from './deploy-token.ts';
import { expect, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'deploy-and-use' }, permissions: ['clipboard-read', 'clipboard-write'] });

/** Asks for a chat completion. @returns the status of the reply */
async function chat(address: string, token: string | null): Promise<number> {
  const reply = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 }),
  });
  await reply.arrayBuffer();
  return reply.status;
}

test('a model file is checked, deployed and followed to its first answer; it sleeps, wakes, shows its log and is deleted', {
  tag: '@smoke',
}, async ({ page, open, daemon }) => {
  const file = writeTinyGguf(join(daemon.dataDir, 'Tiny_Model.gguf'));
  const token = await newDeployToken(daemon);
  await signIn(page, daemon);
  await open('#/models?tab=machine');
  const own = page.getByRole('region', { name: 'Your own model file' });
  await own.getByRole('textbox', { name: 'Path' }).fill(`${file}.other`);
  await own.getByRole('button', { name: 'Check' }).click();
  await expect(own.getByRole('alert')).toBeVisible();
  await own.getByRole('textbox', { name: 'Path' }).fill(file);
  await own.getByRole('button', { name: 'Check' }).click();
  await expect(own).toContainText('512 tokens');

  await own.getByRole('button', { name: 'Deploy…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy Tiny_Model.gguf' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('tiny');
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  const row = page.getByRole('row', { name: /^tiny/ });
  await expect(row).toContainText('new');
  await page.getByRole('link', { name: 'tiny', exact: true }).click();
  await page.getByRole('button', { name: 'Copy the address of tiny' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toBe(`${daemon.url}/endpoints/local/tiny`);
  const state = page.getByRole('region', { name: 'tiny', exact: true });
  await expect(state).toContainText('running');
  expect([await chat(address, token), await chat(address, null)]).toEqual([200, 401]);

  await page.getByRole('button', { name: 'Sleep tiny' }).click();
  await expect(state).toContainText('asleep');
  const woken = chat(address, token);
  await expect(state).toContainText('running');
  expect(await woken).toBe(200);
  await expect(page.getByRole('list', { name: 'Replicas' })).toHaveText(/^readyProcess \d+ ?0 requests[\d.]+ .B/);
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByRole('log', { name: 'Output of tiny' }).locator('.output-line').first()).toBeVisible();

  await page.getByRole('button', { name: 'Sleep tiny' }).click();
  await page.getByRole('tab', { name: 'Try it' }).click();
  await expect(page.getByText('It is asleep: your first message wakes it, and waits for it.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Longest answer' }).fill('5');
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  const answer = page.getByRole('article', { name: 'Answer' });
  await expect(answer).toContainText(/First token after .* 5 tokens · cut off/);

  await deleteEndpoint(page, 'tiny');
  await expect(page.getByRole('heading', { name: 'There are no endpoints' })).toBeVisible();
  expect(await chat(address, token)).toBe(404);
});
