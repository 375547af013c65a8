/** Upgrades over a real connection: a refused one gets a reply, is closed, and does not harm the daemon. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { type SdkUpgradeDeps, sdkUpgrade } from './sdk-upgrade.ts';
import type { Access } from './security/access.ts';

async function serverWith(access: Access): Promise<{ server: Server; host: string }> {
  const server = createServer();
  const hosts = new Set<string>();
  const deps = { access, hosts: () => hosts, log: createLogger('error', () => {}), daemonVersion: '0' };
  const close = sdkUpgrade(server, deps as unknown as SdkUpgradeDeps);
  onTestFinished(() => {
    close();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts.add(host);
  return { server, host };
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
  const { host } = await serverWith({ mayEnter: async () => false });
  expect(await upgrade(host, '/ws/sdk')).toMatch(/^HTTP\/1\.1 401 /);
});

test('an upgrade at any other path gets 404 and is closed', async () => {
  const { host } = await serverWith({ mayEnter: async () => true });
  expect(await upgrade(host, '/anything')).toMatch(/^HTTP\/1\.1 404 /);
});

test('a connection reset after a refusal does no harm, and a refused connection does not keep the server open', async () => {
  const { server, host } = await serverWith({ mayEnter: async () => false });
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
  socket.write(`GET /anything HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await once(server, 'upgrade');
  socket.resetAndDestroy();
  for (const path of ['/ws/sdk', '/anything']) await upgrade(host, path);
  await new Promise((resolve) => server.close(resolve));
});
