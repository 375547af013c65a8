/** Requests that no client of ours sends, byte by byte over real HTTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

/** The status that answers a request line with these headers. */
async function statusOf(line: string, headers: readonly string[]): Promise<number> {
  const { host, port } = new URL(daemon.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write([`${line} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n'));
  await once(socket, 'end');
  return Number(text.split(' ', 2)[1]);
}

test("a proxy's header counts also behind a thousand others", async () => {
  const many = [...Array<string>(1_000).fill('D:'), 'X-Forwarded-For: 203.0.113.5'];
  const post = ['Connection: close', 'Content-Length: 0', ...many];
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', ...many];
  expect(await statusOf('POST /api/apps/install', post)).toBe(401);
  expect(await statusOf('GET /ws/sdk', upgrade)).toBe(401);
});

test('a token to deploy opens what the path leads to, whatever stands behind a #', async () => {
  const stored = new AccessTokens(join(daemon.dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  const { text } = await stored.create({ name: null, scopes: ['deploy'], namespaces: ['lab'] });
  const elsewhere = ['X-Forwarded-For: 203.0.113.5', `Authorization: Bearer ${text}`, 'Connection: close'];
  expect(await statusOf('GET /api/endpoints/lab/x/log', elsewhere)).toBe(404); // its operation, without such an endpoint
  expect(await statusOf('GET /api/endpoints', elsewhere)).toBe(401);
  for (const line of ['GET /api/endpoints/#/x/log', 'GET /api/endpoints/lab/x#/log', 'GET /ws/sdk#/v2/endpoint/lab'])
    expect({ line, status: await statusOf(line, elsewhere) }).toEqual({ line, status: 401 });
});
