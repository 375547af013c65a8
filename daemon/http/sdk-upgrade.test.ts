/** Upgrades over a real connection: a refused one gets a reply, is closed, and does not harm the daemon. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createLogger } from '../shared/logger.ts';
import { type ManualClock, manualClock } from '../testing/manual-clock.ts';
import { Unauthorized } from './requests/errors.ts';
import { type SdkUpgradeDeps, sdkUpgrade } from './sdk-upgrade.ts';
import type { Access } from './security/access.ts';

const motionPass = { onStop() {}, silent(_isSilent: boolean) {}, leave() {} };

/** A robot that nobody moves, and an admission that refuses no one. */
const programs = {
  robot: { state: { backend: 'simulation', state: 'awake', torque: true }, pose: {}, onPose: () => () => {} },
  volume: { percent: 100, onChange: () => () => {} },
  admit: () => motionPass,
  sources: { isFromHere: () => true },
};

async function serverWith(access: Access): Promise<{ server: Server; host: string; clock: ManualClock }> {
  const server = createServer();
  const hosts = new Set<string>();
  const clock = manualClock();
  const log = createLogger('error', () => {});
  const deps = { access, hosts: () => hosts, clock, log, daemonVersion: '0', ...programs };
  const close = sdkUpgrade(server, deps as unknown as SdkUpgradeDeps);
  onTestFinished(() => {
    close();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts.add(host);
  return { server, host, clock };
}

/** Requests an upgrade, and keeps its own side open. @returns everything received until the daemon closed */
async function upgrade(host: string, path: string): Promise<string> {
  const socket = connect({ port: Number(host.split(':')[1]), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await once(socket, 'end');
  return text;
}

test('without the access token there is no socket', async () => {
  const { host } = await serverWith({ refusal: async () => new Unauthorized() });
  expect(await upgrade(host, '/ws/sdk')).toMatch(/^HTTP\/1\.1 401 /);
});

test('an upgrade at any other path gets 404 and is closed', async () => {
  const { host } = await serverWith({ refusal: async () => null });
  expect(await upgrade(host, '/anything')).toMatch(/^HTTP\/1\.1 404 /);
});

test('a connection reset after a refusal does no harm, and a refused connection does not keep the server open', async () => {
  const { server, host } = await serverWith({ refusal: async () => new Unauthorized() });
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
  socket.write(`GET /anything HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await once(server, 'upgrade');
  socket.resetAndDestroy();
  for (const path of ['/ws/sdk', '/anything']) await upgrade(host, path);
  await new Promise((resolve) => server.close(resolve));
});

const HELLO = { type: 'hello', protocol: 1, sdkVersion: '0', runToken: null, clientName: 'a.py' };
const closed = (program: WebSocket) => once(program, 'close').then(([code]) => code as number);

/** Connects a program, which answers pings but says nothing. */
async function program(host: string, options: { autoPong?: boolean } = {}): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${host}/ws/sdk`, options);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}

/** Connects a program that says hello, and is welcome. */
async function admitted(host: string, options: { autoPong?: boolean } = {}): Promise<WebSocket> {
  const socket = await program(host, options);
  const welcome = once(socket, 'message');
  socket.send(JSON.stringify(HELLO));
  expect(JSON.parse(String((await welcome)[0]))).toMatchObject({ type: 'welcome' });
  return socket;
}

async function each<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < count) all.push(await make());
  return all;
}

describe('sixteen programs', () => {
  let host: string;
  beforeEach(async () => {
    ({ host } = await serverWith({ refusal: async () => null }));
  });

  test('that say nothing keep nobody out: the oldest gives way', async () => {
    const [oldest, ...others] = (await each(16, () => program(host))) as [WebSocket, ...WebSocket[]];
    const gone = closed(oldest);
    const app = await admitted(host);
    expect([1008, 1006]).toContain(await gone);
    expect(new Set([...others, app].map(({ readyState }) => readyState))).toEqual(new Set([WebSocket.OPEN]));
    for (const other of [...others]) {
      const next = closed(other);
      await admitted(host);
      await next;
    }
    expect(app.readyState).toBe(WebSocket.OPEN);
  });

  test('of which one says nothing, or was refused: only that one gives way', async () => {
    const apps = await each(15, () => admitted(host));
    for (const message of [null, { ...HELLO, protocol: 99 }, { type: 'fly' }]) {
      const silent = await program(host);
      if (message) silent.send(JSON.stringify(message));
      const gone = closed(silent);
      const last = await admitted(host);
      await gone;
      last.close();
      await closed(last);
    }
    expect(apps.filter(({ readyState }) => readyState !== WebSocket.OPEN)).toEqual([]);
  });

  test('that all said hello are the maximum', async () => {
    await each(16, () => admitted(host));
    const refused = new WebSocket(`ws://${host}/ws/sdk`);
    refused.on('error', () => {});
    const [, response] = await once(refused, 'unexpected-response');
    expect((response as { statusCode: number }).statusCode).toBe(503);
  });
});

describe('a socket', () => {
  /** Lets a time pass, in steps with turns of the loop in which pings are answered. */
  async function pass(clock: ManualClock, ms: number): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    if (ms <= 0) return;
    await clock.advance(Math.min(ms, 500));
    return pass(clock, ms - 500);
  }

  test('without a hello is closed after 5 s, even if it answers pings', async () => {
    const { host, clock } = await serverWith({ refusal: async () => null });
    const app = await admitted(host);
    const silent = await program(host);
    const refused = await program(host);
    refused.send('{"type":"fly"}');
    const gone = Promise.all([closed(silent), closed(refused)]);
    await pass(clock, 4_900);
    expect([silent.readyState, refused.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    await pass(clock, 100);
    await gone;
    await pass(clock, 30_000);
    expect(app.readyState).toBe(WebSocket.OPEN);
  });

  test('that answers no ping is closed after 20 s', async () => {
    const { host, clock } = await serverWith({ refusal: async () => null });
    const frozen = await admitted(host, { autoPong: false });
    const gone = closed(frozen);
    await pass(clock, 19_500);
    expect(frozen.readyState).toBe(WebSocket.OPEN);
    await pass(clock, 1_000);
    expect(await gone).toBe(1006);
  });

  test('that sends something is no longer silent, before it answers a ping', async () => {
    const silent = vi.spyOn(motionPass, 'silent');
    const { host, clock } = await serverWith({ refusal: async () => null });
    const busy = await admitted(host, { autoPong: false });
    await pass(clock, 3_000);
    expect(silent.mock.calls).toEqual([[true]]);
    const refusal = once(busy, 'message');
    busy.send('{"type":"fly"}');
    await refusal;
    expect(silent.mock.calls).toEqual([[true], [false]]);
  });
});
