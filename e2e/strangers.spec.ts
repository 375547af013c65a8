/** A page of another site, open in the same browser, can neither read nor change anything. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { test as base, type Daemon, expect, fixtureApp } from './fixtures.ts';

/** What a request looked like where it arrived. */
type Arrived = string;

interface Strangers {
  /** A site of somebody else's, on this machine and under a name that DNS rebinding pointed at this machine. */
  readonly sites: readonly string[];
  /** Answers everything to everybody and notes it: shows that the attacks do reach what does not guard itself. */
  readonly unguarded: { readonly url: string; readonly arrived: Arrived[] };
}

const test = base.extend<object, { strangers: Strangers }>({
  strangers: [
    async ({ daemon }, use) => {
      const arrived: Arrived[] = [];
      const site = createServer((request, response) => {
        const text = `<!doctype html><html lang="en"><title>Stranger</title><a href="${daemon.url}/#/robot">Robot</a></html>`;
        response.setHeader('Content-Type', 'text/html').end(request.url === '/' ? text : '');
      });
      const unguarded = createServer((request, response) => {
        arrived.push(`${request.method} ${request.url}`);
        const stream = request.url === '/api/events';
        response.setHeader('Access-Control-Allow-Origin', '*');
        response.setHeader('Content-Type', stream ? 'text/event-stream' : 'application/json');
        response.end(stream ? 'data: {}\n\n' : '{}');
      });
      unguarded.on('upgrade', (request, socket) => {
        arrived.push(`UPGRADE ${request.url}`);
        socket.end('HTTP/1.1 400 Enough\r\n\r\n');
      });
      const [sitePort, unguardedPort] = [await listen(site), await listen(unguarded)];
      await use({
        sites: [`http://127.0.0.1:${sitePort}/`, `http://evil.test:${sitePort}/`],
        unguarded: { url: `http://127.0.0.1:${unguardedPort}`, arrived },
      });
      for (const server of [site, unguarded]) {
        server.closeAllConnections();
        server.close();
      }
    },
    { scope: 'worker' },
  ],
  // The refusals are the point here, and a browser complains about each.
  page: async ({ context }, use) => use(await context.newPage()),
});

test.use({ daemonUse: { of: 'strangers', apps: ['polite', 'garbage'].map(fixtureApp) } });
test.beforeEach(async ({ daemon }) => {
  await daemon.start('polite');
  await expect.poll(async () => (await daemon.slot()).state).toBe('running');
});
test.afterEach(async ({ daemon }) => {
  await daemon.freeSlot();
});

for (const [index, place] of ['another port', 'another name'].entries()) {
  test(`a site at ${place} reads nothing and changes nothing`, async ({ page, daemon, strangers }) => {
    const before = await stateOf(daemon);
    await page.goto(strangers.sites[index] as string);
    expect(await attack(page, daemon.url)).toEqual(nothing);
    expect(await stateOf(daemon)).toEqual(before);
  });
}

test('a name that was rebound to this machine reads nothing and changes nothing', async ({ page, daemon }) => {
  const before = await stateOf(daemon);
  const rebound = `http://evil.test:${new URL(daemon.url).port}`;
  const answer = await page.goto(`${rebound}/`);
  expect(answer?.status()).toBe(403);
  await expect(page.getByText('not known under that host name')).toBeVisible();
  // To the browser all of this is of one origin, so it stops nothing: the daemon must.
  const results = await attack(page, rebound);
  expect(results).toMatchObject({ 'socket opened': false, 'stream opened': false, 'image loaded': false });
  expect(results['read']).toBe('403');
  for (const [name, result] of Object.entries(results)) {
    if (name.startsWith('cors ')) expect(`${name}: ${result}`).toBe(`${name}: 403`);
  }
  expect(await stateOf(daemon)).toEqual(before);
});

test('the same attacks do reach a server that does not guard itself', async ({ page, strangers }) => {
  const { url, arrived } = strangers.unguarded;
  await page.goto(strangers.sites[0] as string);
  const results = await attack(page, url);
  expect(results).toMatchObject({ read: '200', 'blind stop': 'sent', 'stream opened': true });
  expect(arrived).toEqual(
    expect.arrayContaining([
      'GET /api/apps/list',
      'POST /api/apps/stop-current-app',
      'POST /api/apps/stop-current-app?force=true',
      'POST /api/apps/start-app/garbage',
      'POST /api/apps/start-app/garbage?form',
      'GET /api/events',
      'UPGRADE /ws/sdk',
      'GET /favicon.svg',
      'GET /?frame',
    ]),
  );
});

test('a plain link from there to the dashboard works', async ({ page, strangers }) => {
  for (const site of strangers.sites) {
    await page.goto(site);
    await page.getByRole('link', { name: 'Robot' }).click();
    await expect(page.getByRole('meter')).toHaveCount(9);
    await expect(page.getByText('Moved by polite')).toBeVisible();
  }
});

/** What `attack` finds when nothing can be read or opened; not even that there is an answer. */
const nothing = {
  read: 'refused',
  'read blind': 'refused',
  'cors stop': 'refused',
  'cors start': 'refused',
  'blind stop': 'refused',
  'blind start': 'refused',
  'form sent': true,
  'socket opened': false,
  'stream opened': false,
  'image loaded': false,
  'frame read': false,
};

/** All that a page can try against another address without asking the person in front of it. */
function attack(page: Page, target: string): Promise<Record<string, string | boolean>> {
  return page.evaluate(async (url) => {
    const say = (answer: Promise<Response>) =>
      answer.then(
        ({ type, status }) => (type === 'opaque' ? 'sent' : String(status)),
        () => 'refused',
      );
    const outcome = (on: (good: () => void, bad: () => void) => void) =>
      new Promise<boolean>((resolve) => {
        on(
          () => resolve(true),
          () => resolve(false),
        );
      });
    const start = `${url}/api/apps/start-app/garbage`;
    const stop = `${url}/api/apps/stop-current-app`;
    const blind: RequestInit = { method: 'POST', mode: 'no-cors', body: '{}' };

    const frame = document.createElement('iframe');
    const form = document.createElement('form');
    form.method = 'post';
    form.action = `${start}?form`;
    form.target = 'sink';
    const sink = document.createElement('iframe');
    sink.name = 'sink';

    return {
      read: await say(fetch(`${url}/api/apps/list`)),
      'read blind': await say(fetch(`${url}/api/apps/list`, { mode: 'no-cors' })),
      'cors stop': await say(fetch(stop, { method: 'POST' })),
      'cors start': await say(
        fetch(start, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }),
      ),
      'blind stop': await say(fetch(`${stop}?force=true`, blind)),
      'blind start': await say(fetch(start, blind)),
      'form sent': await outcome((sent) => {
        document.body.append(sink, form);
        sink.addEventListener('load', sent);
        form.submit();
      }),
      'socket opened': await outcome((opened, failed) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/sdk`);
        socket.onopen = opened;
        socket.onerror = failed;
      }),
      'stream opened': await outcome((opened, failed) => {
        const stream = new EventSource(`${url}/api/events`);
        stream.onmessage = opened;
        stream.onerror = failed;
      }),
      'image loaded': await outcome((loaded, failed) => {
        const image = document.createElement('img');
        image.onload = loaded;
        image.onerror = failed;
        image.src = `${url}/favicon.svg`;
      }),
      'frame read': await outcome((read, failed) => {
        frame.src = `${url}/?frame`;
        frame.addEventListener('load', () => {
          try {
            if (frame.contentDocument?.getElementById('root')) return read();
          } catch {
            // of another origin
          }
          failed();
        });
        document.body.append(frame);
      }),
    };
  }, target);
}

/** All that a stranger could have changed. */
async function stateOf(daemon: Daemon) {
  const [slot, installed, jobs] = await Promise.all([daemon.slot(), daemon.installed(), daemon.jobs()]);
  return { slot, installed, jobs, children: await daemon.children() };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
