/** A page of another site, open in the same browser, can neither read nor change anything. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, type Daemon, expect, fixtureApp } from './fixtures.ts';

interface OtherSites {
  /** A foreign site, under this machine's address and under a name that DNS rebinding points at this machine. */
  readonly sites: readonly string[];
  /** Answers every request and records its method and path: shows that the attacks reach a server without protection. */
  readonly unguarded: { readonly url: string; readonly arrived: string[] };
}

const test = base.extend<object, { otherSites: OtherSites }>({
  otherSites: [
    async ({ daemon }, use) => {
      const arrived: string[] = [];
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
  // Not the fixture's page, which fails on errors: the browser logs one for each refusal.
  page: async ({ context }, use) => use(await context.newPage()),
});

test.use({ daemonOptions: { name: 'cross-site', apps: [fixtureApp('polite')] } });
// The attacks are independent and run last: in one worker they would prolong the run.
test.describe.configure({ mode: 'parallel' });
test.beforeEach(async ({ daemon }) => {
  if ((await daemon.slot()).state === 'free') await daemon.startApp('polite');
  await expect.poll(async () => (await daemon.slot()).state).toBe('running');
});

/**
 * Requests that a page can make to another origin without the user's consent. Each runs in the page and returns what the
 * page observes: `sent` for a request whose response it cannot read.
 */
const attacks: Readonly<Record<string, { run: (url: string) => Promise<string>; succeeds: string; arrives: string }>> =
  {
    'a fetch that reads': {
      run: (url) =>
        fetch(`${url}/api/apps/list`).then(
          ({ status }) => `${status}`,
          () => 'refused',
        ),
      succeeds: '200',
      arrives: 'GET /api/apps/list',
    },
    'a fetch that stops the app': {
      run: (url) =>
        fetch(`${url}/api/apps/stop-current-app`, { method: 'POST' }).then(
          ({ status }) => `${status}`,
          () => 'refused',
        ),
      succeeds: '200',
      arrives: 'POST /api/apps/stop-current-app',
    },
    'a no-cors fetch that reads': {
      run: (url) =>
        fetch(`${url}/api/apps/list`, { mode: 'no-cors' }).then(
          ({ status }) => `sent ${status}`,
          () => 'refused',
        ),
      succeeds: 'sent 0',
      arrives: 'GET /api/apps/list',
    },
    'a no-cors fetch that stops the app': {
      run: (url) =>
        fetch(`${url}/api/apps/stop-current-app?force=true`, { method: 'POST', mode: 'no-cors', body: '{}' }).then(
          ({ status }) => `sent ${status}`,
          () => 'refused',
        ),
      succeeds: 'sent 0',
      arrives: 'POST /api/apps/stop-current-app?force=true',
    },
    'a form that stops the app': {
      run: (url) =>
        new Promise((resolve) => {
          const sink = Object.assign(document.createElement('iframe'), { name: 'sink' });
          const action = `${url}/api/apps/stop-current-app?form`;
          const form = Object.assign(document.createElement('form'), { method: 'post', action, target: 'sink' });
          document.body.append(sink, form);
          sink.addEventListener('load', () => resolve('sent'));
          form.submit();
        }),
      succeeds: 'sent',
      arrives: 'POST /api/apps/stop-current-app?form',
    },
    'a WebSocket': {
      run: (url) =>
        new Promise((resolve) => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/sdk`);
          socket.onopen = () => resolve('opened');
          socket.onerror = () => resolve('refused');
        }),
      succeeds: 'opened',
      arrives: 'UPGRADE /ws/sdk',
    },
    'an EventSource': {
      run: (url) =>
        new Promise((resolve) => {
          const stream = new EventSource(`${url}/api/events`);
          stream.onmessage = () => resolve('opened');
          stream.onerror = () => {
            stream.close();
            resolve('refused');
          };
        }),
      succeeds: 'opened',
      arrives: 'GET /api/events',
    },
    'an iframe': {
      // On another port it is another origin, so only a rebound name could read it.
      run: (url) =>
        new Promise((resolve) => {
          const frame = Object.assign(document.createElement('iframe'), { src: `${url}/?frame` });
          frame.addEventListener('load', () => {
            try {
              resolve(frame.contentDocument?.getElementById('root') ? 'read' : 'refused');
            } catch {
              resolve('refused');
            }
          });
          document.body.append(frame);
        }),
      succeeds: 'read',
      arrives: 'GET /?frame',
    },
    'an image': {
      run: (url) =>
        new Promise((resolve) => {
          const image = document.createElement('img');
          image.onload = () => resolve('loaded');
          image.onerror = () => resolve('refused');
          image.src = `${url}/favicon.svg`;
        }),
      succeeds: 'loaded',
      arrives: 'GET /favicon.svg',
    },
  };

/** A page observes only that the form was sent. */
const alwaysSent = ['a form that stops the app'];

for (const [name, { run, succeeds, arrives }] of Object.entries(attacks)) {
  test(`${name} from another site reads nothing and changes nothing`, async ({ page, daemon, otherSites }) => {
    for (const [index, place] of ['another port', 'another name'].entries()) {
      const before = await stateOf(daemon);
      await page.goto(otherSites.sites[index] as string);
      const seen = await page.evaluate(run, daemon.url);
      expect(seen, `from a site at ${place}`).toBe(alwaysSent.includes(name) ? succeeds : 'refused');
      expect(await stateOf(daemon), `after a site at ${place}`).toEqual(before);
    }

    const before = await stateOf(daemon);
    const rebound = `http://evil.test:${new URL(daemon.url).port}`;
    await page.goto(`${rebound}/`);
    // To the browser this is one origin, so only the daemon can refuse.
    const seen = await page.evaluate(run, rebound);
    if (!alwaysSent.includes(name)) expect(seen, 'from a rebound name').toMatch(/^(refused|(sent )?403)$/);
    expect(await stateOf(daemon), 'after a rebound name').toEqual(before);

    // The same attack reaches a server without protection.
    const { url, arrived } = otherSites.unguarded;
    arrived.length = 0;
    await page.goto(otherSites.sites[0] as string);
    const seenThere = await page.evaluate(run, url);
    expect(arrived).toContain(arrives);
    if (!['a WebSocket', 'an iframe', 'an image'].includes(name)) expect(seenThere).toBe(succeeds);
  });
}

test('a rebound host name gets no page', async ({ page, daemon }) => {
  const answer = await page.goto(`http://evil.test:${new URL(daemon.url).port}/`);
  expect(answer?.status()).toBe(403);
  await expect(page.getByText('does not serve that host name')).toBeVisible();
});

test('a plain link from another site to the dashboard works', async ({ page, otherSites }) => {
  for (const site of otherSites.sites) {
    await page.goto(site);
    await page.getByRole('link', { name: 'Robot' }).click();
    await expect(page.getByRole('meter')).toHaveCount(9);
    await expect(page.getByText('Moved by Polite')).toBeVisible();
  }
});

/** The state that another site could have changed. */
async function stateOf(daemon: Daemon) {
  const [slot, installed, jobs] = await Promise.all([daemon.slot(), daemon.installed(), daemon.jobs()]);
  return { slot, installed, jobs, children: await daemon.children() };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
