/** The socket's door over a real connection: what is refused is answered and closed, and never hurts the daemon. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { type SdkUpgradeDeps, sdkUpgrade } from './sdk-upgrade.ts';
import type { Access } from './security/access.ts';

async function doorWith(access: Access): Promise<{ server: Server; host: string }> {
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

/** Asks for an upgrade, never closes its own side, and gives what came until the daemon closed. */
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
  const { host } = await doorWith({ mayEnter: async () => false });
  expect(await upgrade(host, '/ws/sdk')).toMatch(/^HTTP\/1\.1 401 /);
});

test('an upgrade anywhere else is answered with 404 and ended', async () => {
  const { host } = await doorWith({ mayEnter: async () => true });
  expect(await upgrade(host, '/anything')).toMatch(/^HTTP\/1\.1 404 /);
});

test('a connection that is reset after a refusal harms nothing, and no refused one keeps the server from closing', async () => {
  const { server, host } = await doorWith({ mayEnter: async () => false });
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
  socket.write(`GET /anything HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await once(server, 'upgrade');
  socket.resetAndDestroy();
  for (const path of ['/ws/sdk', '/anything']) await upgrade(host, path);
  await new Promise((resolve) => server.close(resolve));
});
