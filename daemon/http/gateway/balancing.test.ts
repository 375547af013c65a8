/** The choice of the replica over real HTTP, with several model servers. */
import { expect, onTestFinished, test } from 'vitest';
import type { Balancing } from '../../contract/endpoints/balancing.ts';
import { balancedBackends } from '../../testing/gateway/balanced-backends.ts';
import { startGateway } from '../../testing/gateway/gateway-server.ts';
import { httpModelServer, type ModelAnswer } from '../../testing/gateway/model-server.ts';

async function gatewayTo(rule: Balancing, answers: readonly ModelAnswer[], random: () => number = Math.random) {
  const models = await Promise.all(answers.map((answer) => httpModelServer(answer)));
  const sockets = models.map(({ socketPath }) => socketPath);
  const backends = balancedBackends(rule, sockets, random);
  const served = await startGateway(null, { backends });
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    for (const model of models) await model.stop();
  });
  return { url: served.url, backends, sockets };
}

/** A server of MCP sessions in the manner of its streamable HTTP: it knows the sessions that it opened. */
function mcpServer(name: string): ModelAnswer {
  const sessions = new Set<string>();
  return ({ headers }, response) => {
    const session = headers['mcp-session-id'];
    if (session === undefined) {
      const opened = `${name}-${sessions.size}`;
      sessions.add(opened);
      response.setHeader('Mcp-Session-Id', opened);
    }
    response.statusCode = session === undefined || sessions.has(String(session)) ? 200 : 404;
    const { 'mcp-protocol-version': version, 'mcp-method': method, 'last-event-id': lastEvent } = headers;
    response.end(JSON.stringify({ name, version, method, lastEvent }));
  };
}

test('requests of an MCP session reach the replica that opened it, and learn from another one that it is gone', async () => {
  let turn = 0;
  const inTurn = () => (turn++ % 3) / 3;
  const { url, backends, sockets } = await gatewayTo('mcp', ['a', 'b', 'c'].map(mcpServer), inTurn);
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{}' });
    return { status: answer.status, session: answer.headers.get('mcp-session-id'), ...JSON.parse(await answer.text()) };
  };
  const opened = await Promise.all(Array.from({ length: 30 }, () => ask({})));
  expect(new Set(opened.map(({ name }) => name))).toEqual(new Set(['a', 'b', 'c']));
  const more = { 'mcp-protocol-version': '2025-06-18', 'mcp-method': 'tools/call', 'last-event-id': '7' };
  for (const { session, name } of opened) {
    const again = await Promise.all([1, 2].map(() => ask({ 'mcp-session-id': session, ...more })));
    const expected = { status: 200, session: null, name, version: '2025-06-18', method: 'tools/call', lastEvent: '7' };
    expect(again).toEqual([expected, expected]);
  }
  backends.ready.delete(sockets[0] as string);
  const lost = opened.find(({ name }) => name === 'a')?.session;
  expect(await ask({ 'mcp-session-id': lost })).toMatchObject({ status: 404, name: expect.stringMatching(/^[bc]$/) });
});

test('sticky keeps a token at its replica, and callers without one by their address', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const answers = names.map(
    (name): ModelAnswer =>
      (_request, response) =>
        void response.end(name),
  );
  const { url, backends, sockets } = await gatewayTo('sticky', answers);
  const ask = async (token?: string) =>
    (await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {})).text();
  const replicasOf = async (token?: string) => new Set(await Promise.all(Array.from({ length: 10 }, () => ask(token))));
  const [creator] = await replicasOf('creator');
  for (const token of ['creator', 'stranger', undefined]) expect((await replicasOf(token)).size).toBe(1);
  const others = sockets.filter((_socket, index) => names[index] !== creator);
  for (const socket of others.slice(0, 5)) backends.ready.delete(socket);
  expect(await ask('creator')).toBe(creator);
});

test('a replica that is lost to a request is not tried again while there is another', async () => {
  let asked = 0;
  const answers: ModelAnswer[] = [
    (request) => {
      asked += 1;
      request.socket.destroy();
    },
    (_request, response) => void response.end('answered'),
  ];
  const { url } = await gatewayTo('random', answers, () => 0); // prefers the first
  expect(await (await fetch(url)).text()).toBe('answered');
  expect(asked).toBe(1);
});
