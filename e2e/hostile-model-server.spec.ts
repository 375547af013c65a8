/** A model server whose answers are pages: opened through the gateway, with the session of the dashboard, they reach nothing. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type BrowserContext, expect } from '@playwright/test';
import { newDataDir, startTestDaemon, type TestDaemon } from '../daemon/testing/daemon/test-daemon.ts';
import { createOwnFileEndpoint } from '../daemon/testing/endpoints/own-file-endpoint.ts';
import { httpModelServer, type ModelServer } from '../daemon/testing/gateway/model-server.ts';
import { writeLinkedLlamaServer } from '../daemon/testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../daemon/testing/models/tiny-gguf.ts';
import { test as base } from './nothing-left.ts';

const ENDPOINT = '/endpoints/lab/public';

/** A request that reached the model server, without what it carried. */
const withoutCookie = (request: string) => request.replace(/ cookie=.*/, '');

/** Tries all that a page of the daemon's origin could do, and reports what it got to its own server. */
const script = (root: string) => `
  const report = (what) => fetch('${root}/report?' + encodeURIComponent(what), { method: 'POST' });
  report('ran');
  fetch('/v2/endpoint/lab')
    .then((answer) => report('endpoints ' + answer.status))
    .then(() => fetch('/api/session', { method: 'DELETE' }))
    .then((answer) => report('session ' + answer.status));
  document.cookie = 'robot-script=1';
  navigator.serviceWorker?.register('${root}/script.js').then(() => report('worker'));
`;
const page = (root: string) => `<!doctype html><html lang="en"><title>Model</title>
  <script>${script(root)}</script><script src="${root}/script.js"></script>
  <meta http-equiv="refresh" content="${root === ENDPOINT ? 1 : 60};url=${root}/refreshed">
  <img src="/api/apps/list?image" alt=""><iframe src="/?frame"></iframe><link rel="stylesheet" href="/api/apps/list?style">
  <body onload="fetch('${root}/report?onload', { method: 'POST' })">A page of the model server</body></html>`;

interface Hostile {
  readonly daemon: TestDaemon;
  /** The daemon as a browser sees it that sends no Sec-Fetch headers; below /bare the model server, without the gateway. */
  readonly olderBrowser: string;
  /** The requests that reached the model server. */
  readonly reached: string[];
  /** The requests for the daemon that came through `olderBrowser`. */
  readonly passed: string[];
}

const test = base.extend<{ signedIn: BrowserContext }, { hostile: Hostile }>({
  hostile: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const reached: string[] = [];
      const passed: string[] = [];
      const model = await hostileModelServer(reached);
      const dataDir = await newDataDir();
      const llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
      const daemon = await startTestDaemon({ dataDir, llamaServer });
      const proxy = await withoutFetchMetadata(daemon.url, model.socketPath, passed);
      const { name, value } = daemon.newSessionCookie();
      const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
      await createOwnFileEndpoint(
        daemon.url,
        { cookie: `${name}=${value}` },
        { name: 'public', type: 'public', modelPath },
      );
      await use({ daemon, olderBrowser: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, reached, passed });
      proxy.closeAllConnections();
      proxy.close();
      await daemon[Symbol.asyncDispose]();
      await model.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  signedIn: async ({ context, hostile: { daemon, reached, passed } }, use) => {
    await context.addCookies([{ ...daemon.newSessionCookie(), url: daemon.url, httpOnly: true, sameSite: 'Strict' }]);
    reached.length = 0;
    passed.length = 0;
    await use(context);
  },
});

test('a browser opens no page, frame, script, style, picture or worker of a model server', async ({
  signedIn,
  hostile,
}) => {
  const { daemon, reached } = hostile;
  const cookies = await signedIn.cookies();
  const page = await signedIn.newPage();
  const answer = await page.goto(`${daemon.url}${ENDPOINT}/page`);
  expect(answer?.status()).toBe(403);
  expect(await page.content()).not.toContain('A page of the model server');

  await page.goto(`${daemon.url}/`);
  const loaded = await page.evaluate(async (endpoint) => {
    const load = (tag: string, attribute: string, path: string) =>
      new Promise<string>((resolve) => {
        const element = document.createElement(tag);
        element.addEventListener('load', () => resolve(`${tag} loaded`));
        element.addEventListener('error', () => resolve(`${tag} refused`));
        if (tag === 'link') element.setAttribute('rel', 'stylesheet');
        element.setAttribute(attribute, endpoint + path);
        document.body.append(element);
      });
    const worker = new Promise<string>((resolve) => {
      try {
        new Worker(`${endpoint}/script.js`).onerror = () => resolve('worker refused');
      } catch {
        resolve('worker refused');
      }
    });
    const service = navigator.serviceWorker.register(`${endpoint}/script.js`, { scope: '/' }).then(
      () => 'service worker loaded',
      () => 'service worker refused',
    );
    return Promise.all([
      load('script', 'src', '/script.js'),
      load('link', 'href', '/style.css'),
      load('img', 'src', '/picture.svg'),
      worker,
      service,
    ]);
  }, ENDPOINT);
  expect(loaded).toEqual(['script refused', 'link refused', 'img refused', 'worker refused', 'service worker refused']);

  const opened = await page.evaluate(async (endpoint) => {
    const frame = Object.assign(document.createElement('iframe'), { src: `${endpoint}/page` });
    const shown = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await shown;
    try {
      return frame.contentDocument?.body.textContent ?? 'nothing';
    } catch {
      return 'nothing';
    }
  }, ENDPOINT);
  expect(opened).not.toContain('A page of the model server');
  expect(reached).toEqual([]);
  expect(await signedIn.cookies()).toEqual(cookies);
});

test('an answer that our own page fetches sets no cookie, clears nothing and leads nowhere', async ({
  signedIn,
  hostile,
}) => {
  const { daemon, reached } = hostile;
  const cookies = await signedIn.cookies();
  const page = await signedIn.newPage();
  await page.goto(`${daemon.url}/`);
  await page.evaluate(() => localStorage.setItem('kept', 'yes'));
  const seen = await page.evaluate(async (endpoint) => {
    const ask = async (path: string) => {
      const answer = await fetch(endpoint + path, { credentials: 'include' });
      return [answer.status, answer.redirected, answer.headers.get('content-security-policy')];
    };
    return [await ask('/page'), await ask('/redirect'), localStorage.getItem('kept'), document.cookie];
  }, ENDPOINT);
  const policy = "sandbox; default-src 'none'; frame-ancestors 'none'";
  expect(seen).toEqual([[200, false, policy], [502, false, policy], 'yes', '']);
  expect(reached.map(withoutCookie)).toEqual(['GET /page', 'GET /redirect']);
  expect(reached.every((request) => request.endsWith('cookie=none origin=none'))).toBe(true);
  expect(await signedIn.cookies()).toEqual(cookies);
  const session = await page.evaluate(async () => (await fetch('/api/session')).json());
  expect(session).toMatchObject({ signedIn: true });
});

test('where a browser does not say what a request is for, the page shows but runs nothing', async ({
  signedIn,
  hostile,
}) => {
  const { daemon, olderBrowser, reached, passed } = hostile;
  const cookies = await signedIn.cookies();
  const page = await signedIn.newPage();
  const errors: string[] = [];
  page.on('console', (message) => errors.push(message.text()));
  const answer = await page.goto(`${olderBrowser}${ENDPOINT}/page`);
  expect(answer?.status()).toBe(200);
  expect(await page.content()).toContain('A page of the model server');
  await expect.poll(() => errors.join('\n')).toContain('Content Security Policy');
  await page.waitForTimeout(2_000); // longer than its refresh
  expect(reached.map(withoutCookie)).toEqual(['GET /page']);
  const ours = passed.filter((one) => !one.includes(ENDPOINT) && !one.endsWith('/favicon.ico'));
  expect(ours).toEqual([]);
  expect(await signedIn.cookies()).toEqual(cookies);
  await page.goto(`${daemon.url}/`);
  expect(await page.evaluate(async () => (await fetch('/api/session')).json())).toMatchObject({ signedIn: true });
});

test('without the gateway, the same page uses the session of the dashboard', async ({ signedIn, hostile }) => {
  const { olderBrowser, reached } = hostile;
  const page = await signedIn.newPage();
  await page.goto(`${olderBrowser}/bare/page`);
  for (const report of ['ran', 'endpoints%20200', 'session%20200', 'onload']) {
    await expect.poll(() => reached.join('\n')).toContain(`POST /report?${report}`);
  }
  expect((await signedIn.cookies()).map(({ name }) => name)).toContain('robot-script');
});

/** Answers with pages, scripts, redirects and every header that could act on the origin. */
function hostileModelServer(reached: string[]): Promise<ModelServer> {
  return httpModelServer(({ method, url = '', headers }, response) => {
    if (url === '/health') return void response.end(); // the daemon asks for it
    reached.push(`${method} ${url} cookie=${headers.cookie ? 'sent' : 'none'} origin=${headers.origin ?? 'none'}`);
    const root = headers['x-root']?.toString() ?? ENDPOINT;
    const attacks = {
      'Set-Cookie': ['robot-session-1=evil; Path=/', `robot-evil=1; Path=/`],
      ...(root === ENDPOINT ? { 'Clear-Site-Data': '"*"', Refresh: `1;url=${root}/refreshed` } : {}),
      'Content-Security-Policy': "default-src * 'unsafe-inline'",
      'Access-Control-Allow-Origin': '*',
      'Service-Worker-Allowed': '/',
      Link: '</api/apps/list?link>; rel=preload; as=fetch',
    };
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    const type = types[url.split('.')[1] ?? ''] ?? 'text/html';
    if (url.startsWith('/redirect'))
      response.writeHead(302, { ...attacks, Location: '/api/apps/list?redirected' }).end();
    else
      response
        .writeHead(200, { ...attacks, 'Content-Type': type })
        .end(url.endsWith('.js') ? script(root) : page(root));
  });
}

/** A proxy of the daemon that takes away the headers by which a browser says what its requests are for. */
async function withoutFetchMetadata(daemonUrl: string, socketPath: string, passed: string[]): Promise<Server> {
  const { host, hostname, port } = new URL(daemonUrl);
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const bare = url.startsWith('/bare/');
    if (!bare) passed.push(`${method} ${url}`);
    const headers: IncomingHttpHeaders = { ...request.headers, host, ...(bare ? { 'x-root': '/bare' } : {}) };
    for (const name of Object.keys(headers))
      if (name.startsWith('sec-fetch-') || name === 'upgrade-insecure-requests') delete headers[name];
    if (headers.origin) headers.origin = `http://${host}`;
    const to = bare ? { socketPath, path: url.slice('/bare'.length) } : { hostname, port, path: url };
    const forwarded = httpRequest({ ...to, method, headers, agent: false }, (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
