/** A page of another site, open in the same browser, can neither read nor change anything. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

test.use({ daemonUse: { of: 'strangers', apps: [fixtureApp('polite')] } });
// Each attack stands alone, and they come last: else one worker would be left with them.
test.describe.configure({ mode: 'parallel' });
test.beforeEach(async ({ daemon }) => {
  if ((await daemon.slot()).state === 'free') await daemon.start('polite');
  await expect.poll(async () => (await daemon.slot()).state).toBe('running');
});

/**
 * What a page can try against another address without asking the person in front of it. Each runs in the page, and says
 * what the page saw of it: `sent` is all that it ever sees of a blind request.
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
      // To a site on another port it is of another origin, so that only a rebound name could look into it.
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

/** What a page sees of a form is that it was sent, wherever that led. */
const alwaysSent = ['a form that stops the app'];

for (const [name, { run, succeeds, arrives }] of Object.entries(attacks)) {
  test(`${name} by a stranger reads nothing and changes nothing`, async ({ page, daemon, strangers }) => {
    for (const [index, place] of ['another port', 'another name'].entries()) {
      const before = await stateOf(daemon);
      await page.goto(strangers.sites[index] as string);
      const seen = await page.evaluate(run, daemon.url);
      expect(seen, `from a site at ${place}`).toBe(alwaysSent.includes(name) ? succeeds : 'refused');
      expect(await stateOf(daemon), `after a site at ${place}`).toEqual(before);
    }

    const before = await stateOf(daemon);
    const rebound = `http://evil.test:${new URL(daemon.url).port}`;
    await page.goto(`${rebound}/`);
    // To the browser all of this is of one origin, so it stops nothing: the daemon must.
    const seen = await page.evaluate(run, rebound);
    if (!alwaysSent.includes(name)) expect(seen, 'from a rebound name').toMatch(/^(refused|(sent )?403)$/);
    expect(await stateOf(daemon), 'after a rebound name').toEqual(before);

    // The same does reach a server that does not guard itself.
    const { url, arrived } = strangers.unguarded;
    arrived.length = 0;
    await page.goto(strangers.sites[0] as string);
    const seenThere = await page.evaluate(run, url);
    expect(arrived).toContain(arrives);
    if (!['a WebSocket', 'an iframe', 'an image'].includes(name)) expect(seenThere).toBe(succeeds);
  });
}

test('a name that was rebound to this machine gets no page', async ({ page, daemon }) => {
  const answer = await page.goto(`http://evil.test:${new URL(daemon.url).port}/`);
  expect(answer?.status()).toBe(403);
  await expect(page.getByText('does not serve that host name')).toBeVisible();
});

test('a plain link from there to the dashboard works', async ({ page, strangers }) => {
  for (const site of strangers.sites) {
    await page.goto(site);
    await page.getByRole('link', { name: 'Robot' }).click();
    await expect(page.getByRole('meter')).toHaveCount(9);
    await expect(page.getByText('Moved by polite')).toBeVisible();
  }
});

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
