/** A page of another site, open in the same browser: where it is, and what it tries. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { test as base } from './fixtures.ts';

interface OtherSites {
  /** A foreign site, under this machine's address and under a name that DNS rebinding points at this machine. */
  readonly sites: readonly string[];
  /** Answers every request and records its method and path: shows that the attacks reach a server without protection. */
  readonly unguarded: { readonly url: string; readonly arrived: string[] };
}

export const test = base.extend<{ stranger: Page }, { otherSites: OtherSites }>({
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
        response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
        response.setHeader('Access-Control-Allow-Credentials', 'true');
        response.setHeader('Access-Control-Allow-Methods', 'DELETE');
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
  stranger: async ({ context }, use) => use(await context.newPage()),
});

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

interface Attack {
  readonly run: (url: string) => Promise<string>;
  /** The result where nothing protects the server. */
  readonly succeeds: string;
  /** The request that arrives there. */
  readonly arrives: string;
  /** Whether the page sees only that it was sent. */
  readonly isBlind?: true;
  /** Whether it succeeds only with an answer that the server without protection does not have. */
  readonly needsAnswer?: true;
}

/**
 * Requests that a page can make to another origin without the user's consent. Each runs in the page and returns what the
 * page observes: `sent` for a request whose response it cannot read.
 */
export const attacks: Readonly<Record<string, Attack>> = {
  'a fetch that reads': {
    run: (url) =>
      fetch(`${url}/api/apps/list`, { credentials: 'include' }).then(
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
  'a fetch that signs the browser out': {
    run: (url) =>
      fetch(`${url}/api/session`, { method: 'DELETE', credentials: 'include' }).then(
        ({ status }) => `${status}`,
        () => 'refused',
      ),
    succeeds: '200',
    arrives: 'DELETE /api/session',
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
    isBlind: true,
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
    needsAnswer: true,
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
    needsAnswer: true,
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
    needsAnswer: true,
  },
};
