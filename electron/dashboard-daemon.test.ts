import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DashboardDaemon } from './dashboard-daemon.ts';

async function daemonWithHub(hub: string): Promise<DashboardDaemon> {
  const server = createServer((_request, response) => response.end(JSON.stringify({ hub, name: null, problem: null })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return new DashboardDaemon(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test.each([
  ['https://hub.example/spaces/ann/dance', true],
  ['https://hub.example/settings/tokens', false],
  ['https://evil.test/spaces/ann/dance', false],
  ['http://hub.example/spaces/ann/dance', false],
  ['https://ann@hub.example/spaces/ann/dance', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%s is a page of the hub that the browser may be given: %s', async (url, may) => {
  expect(await (await daemonWithHub('https://hub.example')).isHubPage(url)).toBe(may);
});

test('as long as the hub is not known, no page is its page', async () => {
  expect(await (await daemonWithHub('')).isHubPage('https://hub.example/spaces/ann/dance')).toBe(false);
});
