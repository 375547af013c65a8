/** A daemon whose endpoints are served by a stand-in of a model server, and a signed-in page. */
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataDir, startTestDaemon, type TestDaemon } from '../daemon/testing/daemon/test-daemon.ts';
import { createOwnFileEndpoint } from '../daemon/testing/endpoints/own-file-endpoint.ts';
import { type ChatStandin, startChatStandin, usualAnswer } from '../daemon/testing/gateway/chat-standin.ts';
import { logOf, writeLinkedLlamaServer } from '../daemon/testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { collectPageErrors, expect } from './fixtures.ts';
import { test as base } from './own-page.ts';

export { expect };

export interface WithChat {
  readonly daemon: TestDaemon;
  readonly model: ChatStandin;
  /** Writes lines to the output of the endpoints' processes. */
  readonly writeLog: (text: string) => Promise<void>;
}

const endpoints = { chat: 'text-generation', embed: 'feature-extraction', rank: 'text-ranking', other: 'fill-mask' };

export const test = base.extend<{ openPage: (hash: string) => Promise<void> }, { chat: WithChat }>({
  chat: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const model = await startChatStandin();
      const dataDir = await newDataDir();
      const llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
      const daemon = await startTestDaemon({ dataDir, llamaServer });
      const { name, value } = daemon.newSessionCookie();
      const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
      for (const [endpoint, task] of Object.entries(endpoints)) {
        await createOwnFileEndpoint(daemon.url, { cookie: `${name}=${value}` }, { name: endpoint, task, modelPath });
      }
      await expect.poll(async () => (await daemon.call('listOwnEndpoints')).status.states.running).toBe(4);
      await use({ daemon, model, writeLog: (text) => appendFile(logOf(dataDir), text) });
      await daemon[Symbol.asyncDispose]();
      await model.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  page: async ({ page, chat: { daemon, model } }, use) => {
    model.answer = usualAnswer; // the test before may have changed it
    const pageErrors = collectPageErrors(page);
    await page
      .context()
      .addCookies([{ ...daemon.newSessionCookie(), url: daemon.url, httpOnly: true, sameSite: 'Strict' }]);
    await use(page);
    expect(pageErrors, 'errors in the browser').toEqual([]);
  },
  openPage: async ({ page, chat: { daemon } }, use) => {
    await use(async (hash) => {
      await page.goto(`${daemon.url}/${hash}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
  },
});
