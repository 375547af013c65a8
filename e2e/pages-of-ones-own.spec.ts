/** Pages at other addresses of this machine that call a model: one that the endpoint lists, one that it does not, and an app's own. */
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { appSource, mainBlock, writeAppPackage } from '../daemon/testing/apps/app-packages.ts';
import { freeAppPort } from '../daemon/testing/free-app-port.ts';
import { newDeployToken } from './deploy-token.ts';
import type { Daemon } from './fixtures.ts';
import { test as base, expect } from './with-chat-standin.ts';

/** A server of pages of one's own: its origin, and a page of it. Not the fixture's page, which fails on refused requests. */
interface Site {
  readonly origin: string;
  readonly page: Page;
}

const test = base.extend<{ openSite: () => Promise<Site> }>({
  openSite: async ({ context }, use) => {
    const servers: ReturnType<typeof createServer>[] = [];
    await use(async () => {
      const server = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Mine</title>');
      });
      servers.push(server.listen(0, '127.0.0.1'));
      await once(server, 'listening');
      const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
      const page = await context.newPage();
      await page.goto(origin);
      return { origin, page };
    });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
});

/** A streamed chat as a page sees it: its status and its text, or that the browser did not let it. */
function chatFrom(page: Page, url: string, token: string | null, credentials: RequestCredentials = 'omit') {
  return page.evaluate(
    async ([address, bearer, cookies]) => {
      const headers = { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) };
      const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Hello' }] });
      const init = { method: 'POST', headers, body, credentials: cookies };
      return fetch(`${address}/v1/chat/completions`, init).then(
        async (answer) => ({
          status: answer.status,
          challenge: answer.headers.get('www-authenticate'),
          text: await answer.text(),
        }),
        () => 'not allowed',
      );
    },
    [url, token, credentials] as const,
  );
}

test('a page that its endpoint lists chats with a token; an unlisted one, a cookie and other addresses do not work', async ({
  page,
  openPage,
  openSite,
  chat: { daemon },
}) => {
  const [mine, strange] = [await openSite(), await openSite()];
  const url = `${daemon.url}/endpoints/lab/chat`;
  const token = await newDeployToken({ dataDir: daemon.dataDir } as Daemon);
  expect(await chatFrom(mine.page, url, token)).toBe('not allowed');

  await openPage('#/models/endpoints/lab/chat?tab=settings');
  const section = page.getByRole('region', { name: 'Pages that may use it' });
  const field = section.getByRole('textbox', { name: 'Origin' });
  await field.fill(`${mine.origin}/`);
  await section.getByRole('button', { name: 'Add' }).click();
  await expect(section.getByRole('alert')).toHaveText(`An origin has no path. Use ${mine.origin}.`);
  await field.fill(mine.origin);
  await field.press('Enter');
  await expect(section.getByRole('button', { name: `Remove ${mine.origin}` })).toBeVisible();
  await expect(field).toHaveValue('');

  const answer = { status: 200, challenge: null, text: expect.stringContaining('" model."') };
  expect(await chatFrom(mine.page, url, token)).toEqual(answer);
  const refused = { status: 401, challenge: 'Bearer', text: expect.stringContaining('A valid bearer token') };
  expect(await chatFrom(mine.page, url, null)).toEqual(refused);
  expect(await chatFrom(mine.page, url, 'wrong')).toEqual(refused);
  expect(await chatFrom(mine.page, url, token, 'include')).toBe('not allowed');
  expect(await chatFrom(strange.page, url, token)).toBe('not allowed');
  expect(await chatFrom(mine.page, `${daemon.url}/endpoints/lab/other`, token)).toBe('not allowed');
  const status = (address: string) =>
    fetch(address).then(
      ({ status: code }) => code,
      () => 'not allowed',
    );
  expect(await mine.page.evaluate(status, `${daemon.url}/api/daemon/status`)).toBe('not allowed');

  await section.getByRole('button', { name: `Remove ${mine.origin}` }).click();
  await expect(section.getByRole('listitem')).toHaveCount(0);
  expect(await chatFrom(mine.page, url, token)).toBe('not allowed');
});

test('the page of an app calls the models of the app with the key that the app hands to it, while it runs', async ({
  context,
  chat: { daemon },
}) => {
  await using parent = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-page-with-model-'));
  const port = await freeAppPort();
  const mainSource = `${appSource({
    attributes: [`custom_app_url = "http://localhost:${port}"`],
    run: [
      'chat = robot.endpoints["chat"]',
      '@self.settings_app.get("/model")',
      'def model():',
      '    return {"url": chat.url, "key": chat.key}',
      'stop_event.wait()',
    ],
  })}${mainBlock()}`;
  const folder = await writeAppPackage(join(parent.path, 'talks'), {
    ...{ name: 'talks', mainSource, baseline: false, static: { 'index.html': '<!doctype html><title>Talks</title>' } },
    pyproject: (text) => `${text}\n[tool.robot.needs]\nchat = { task = "text-generation" }\n`,
  });
  expect(await daemon.install(folder)).toMatchObject({ state: 'done', failure: null });
  const { name, value } = daemon.newSessionCookie();
  const assigned = await fetch(`${daemon.url}/api/apps/installed/talks/needs/chat`, {
    method: 'PUT',
    headers: { cookie: `${name}=${value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint: { namespace: 'lab', name: 'chat' } }),
  });
  expect(assigned.status).toBe(200);
  await daemon.call('startApp', { params: { appName: 'talks' } });
  await expect.poll(() => daemon.slot()).toMatchObject({ state: 'running', settingsPage: 'answers' });

  const page = await context.newPage();
  const bases = { chat: `${daemon.url}/endpoints/lab/chat`, other: `${daemon.url}/endpoints/lab/other` };
  let key = '';
  for (const host of ['localhost', '127.0.0.1']) {
    await page.goto(`http://${host}:${port}/`);
    const model = await page.evaluate(async () => (await fetch('/model')).json());
    expect(model.url).toBe(`${bases.chat}/v1`);
    key = model.key;
    expect(await chatFrom(page, bases.chat, key)).toMatchObject({
      status: 200,
      text: expect.stringContaining('" model."'),
    });
    expect(await chatFrom(page, bases.other, key)).toBe('not allowed');
  }
  await daemon.call('stopCurrentApp', {});
  expect(await chatFrom(page, bases.chat, key)).toBe('not allowed');
});
