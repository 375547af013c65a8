import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { newDataDir, startTestDaemon, type TestDaemon } from '../../../daemon/testing/daemon/test-daemon.ts';
import { createOwnFileEndpoint } from '../../../daemon/testing/endpoints/own-file-endpoint.ts';
import { type ChatStandin, startChatStandin } from '../../../daemon/testing/gateway/chat-standin.ts';
import { logOf, writeLinkedLlamaServer } from '../../../daemon/testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../../daemon/testing/models/tiny-gguf.ts';
import { launchChromium } from '../../harness/chromium.ts';
import { registerCleanup } from '../../harness/cleanup.ts';

/** The page of an endpoint whose model answers at once. */
export interface EndpointPage extends AsyncDisposable {
  readonly page: Page;
  readonly model: ChatStandin;
  readonly endpointUrl: string;
  /** Appends to the output of the model server. */
  readonly writeLog: (text: string) => Promise<void>;
}

/** @param tab of the page */
export async function openEndpointPage(tab: 'try' | 'log'): Promise<EndpointPage> {
  await using stack = new AsyncDisposableStack();
  const browser = stack.use(await launchChromium());
  const dataDir = await newDataDir();
  stack.use(registerCleanup(() => rm(dataDir, { recursive: true, force: true })));
  const model = stack.use(await startChatStandin());
  model.context = 1e6;
  const llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
  const daemon = stack.use(await startTestDaemon({ dataDir, llamaServer }));
  const { name, value } = daemon.newSessionCookie();
  const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  const endpoint = { name: 'chat', task: 'text-generation', type: 'public', modelPath } as const;
  await createOwnFileEndpoint(daemon.url, { cookie: `${name}=${value}` }, endpoint);
  await untilRunning(daemon);
  const context = stack.use(await browser.newContext());
  await context.addCookies([{ name, value, url: daemon.url }]);
  const page = await context.newPage();
  await page.goto(`${daemon.url}/#/models/endpoints/lab/chat?tab=${tab}`);
  const opened = stack.move();
  return {
    page,
    model,
    writeLog: (text) => appendFile(logOf(dataDir), text),
    endpointUrl: `${daemon.url}/endpoints/lab/chat`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function untilRunning(daemon: TestDaemon): Promise<void> {
  for (;;) {
    const { status } = await daemon.call('listOwnEndpoints');
    if (status.states.running === 1) return;
    if (status.states.failed) throw new Error('The endpoint failed.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
