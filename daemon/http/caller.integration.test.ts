/** Who is let in to the operations that need a known caller, over real HTTP. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../access/access-tokens.ts';
import { DashboardSessions } from '../access/dashboard-sessions.ts';
import { createLogger } from '../shared/logger.ts';
import { callerFor, callerOf, requireCaller } from './caller.ts';
import { problemHandler } from './problem.ts';

const log = createLogger('error');
const DEPLOY = '/api/v1/catalog/model/ann/tiny/deploy';

async function door() {
  const folder = await mkdtemp(join(tmpdir(), 'caller-'));
  const tokens = new AccessTokens(join(folder, 'tokens.json'), { log });
  const sessions = new DashboardSessions(tokens);
  const app = express();
  app.set('query parser', 'simple');
  app.use(requireCaller(callerOf({ tokens, sessions })));
  app.use(express.json());
  app.post('/api/v1/catalog/model/:author/:model/deploy', (request, response) => {
    response.json({ caller: callerFor(request), body: request.body });
  });
  app.get('/v2/endpoint/:namespace', (_request, response) => void response.json([]));
  app.get('/api/v1/catalog/list', (_request, response) => void response.json({ items: [] }));
  app.get('/forgotten', (request, response) => void response.json(callerFor(request)));
  app.use(problemHandler(log));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  /** Sent as it is written: fetch would tidy the path up. */
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body = '') => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers });
    request.end(body);
    const [response] = await once(request, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode, headers: response.headers, body: text ? JSON.parse(text) : null };
  };
  const create = async (scopes: string[], namespaces: string[] | null = null) =>
    tokens.create({ name: null, scopes, namespaces });
  return { ask, create, tokens, sessions, cookieName: `robot-session-${port}` };
}

test('a bearer token says who calls, whatever the case of the scheme', async () => {
  const { ask, create } = await door();
  const { text, token } = await create(['deploy'], ['lab']);
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const { status, body } = await ask('POST', DEPLOY, { authorization: `${scheme} ${text}` });
    expect({ status, caller: body.caller }).toEqual({ status: 200, caller: { kind: 'token', ...token } });
  }
});

test('the cookie of a session does so too, but not under the name of another port', async () => {
  const { ask, sessions, cookieName } = await door();
  const secret = sessions.open();
  const { status, body } = await ask('POST', DEPLOY, { cookie: `a=b; ${cookieName}=${secret}; c=d` });
  expect({ status, kind: body.caller.kind }).toEqual({ status: 200, kind: 'session' });
  expect((await ask('POST', DEPLOY, { cookie: `robot-session-1=${secret}` })).status).toBe(401);
  expect((await ask('POST', DEPLOY, { cookie: `x${cookieName}=${secret}` })).status).toBe(401);
});

test('a stranger hears 401, how to do better, and nothing of what else is wrong', async () => {
  const { ask, create } = await door();
  const { text } = await create(['deploy']);
  const json = { 'content-type': 'application/json' };
  const strange: [string, string, Record<string, string>?, string?][] = [
    ['POST', DEPLOY],
    ['POST', DEPLOY, { authorization: 'Bearer' }],
    ['POST', DEPLOY, { authorization: 'Bearer ' }],
    ['POST', DEPLOY, { authorization: `Basic ${text}` }],
    ['POST', DEPLOY, { authorization: text }],
    ['POST', DEPLOY, { authorization: `Bearer ${text}x` }],
    ['POST', `${DEPLOY}?token=${text}&access_token=${text}`],
    ['POST', DEPLOY, json, '{"namespace":'],
    ['POST', DEPLOY, { ...json, 'content-encoding': 'no-such' }, '{}'],
    ['POST', DEPLOY, json, 'x'.repeat(200_000)],
    ['POST', '/api/v1/catalog/model/%E0%A4%A/%/deploy'],
    ['GET', '/v2/endpoint/local'],
    ['HEAD', '/v2/endpoint/local'],
  ];
  for (const [method, path, headers, body] of strange) {
    const answer = await ask(method, path, headers, body);
    expect({ path, status: answer.status }).toEqual({ path, status: 401 });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    if (method !== 'HEAD') {
      expect(answer.body).toEqual({ error: expect.stringContaining('robot-daemon token create') });
    }
  }
});

test('with a valid token the body and the path are looked at', async () => {
  const { ask, create } = await door();
  const authorization = `Bearer ${(await create(['deploy'])).text}`;
  const json = { authorization, 'content-type': 'application/json' };
  expect((await ask('POST', DEPLOY, json, '{"namespace":')).status).toBe(400);
  expect((await ask('POST', '/api/v1/catalog/model/%E0%A4%A/x/deploy', json, '{}')).status).toBe(400);
});

test('a token that is for something else may not deploy, and is told so', async () => {
  const { ask, create } = await door();
  const authorization = `Bearer ${(await create(['daemon', 'endpoint:chat'])).text}`;
  const answer = await ask('POST', DEPLOY, { authorization });
  expect(answer).toMatchObject({
    status: 401,
    body: { error: 'The token "token-1" may not deploy: it is for daemon, endpoint:chat.' },
  });
  expect(answer.headers['www-authenticate']).toBe('Bearer');
});

test('who shows a bad token is not let in for a good cookie', async () => {
  const { ask, sessions, cookieName } = await door();
  const cookie = `${cookieName}=${sessions.open()}`;
  expect((await ask('POST', DEPLOY, { cookie, authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await ask('POST', DEPLOY, { cookie, authorization: 'Basic eDp5' })).status).toBe(200);
});

test('a revoked token is refused from the next request on, and so is its session', async () => {
  const { ask, create, tokens, sessions, cookieName } = await door();
  const { text, token } = await create(['deploy']);
  const authorization = `Bearer ${text}`;
  const cookie = `${cookieName}=${await sessions.openWithToken(text)}`;
  expect((await ask('POST', DEPLOY, { authorization })).status).toBe(200);
  expect((await ask('POST', DEPLOY, { cookie })).status).toBe(200);
  await tokens.revoke(token.id);
  expect((await ask('POST', DEPLOY, { authorization })).status).toBe(401);
  expect((await ask('POST', DEPLOY, { cookie })).status).toBe(401);
});

test('what is open to all stays so, also for who shows a bad token', async () => {
  const { ask } = await door();
  expect((await ask('GET', '/api/v1/catalog/list', { authorization: 'Bearer wrong' })).status).toBe(200);
});

test('a route that asks for a caller whom nobody has looked at refuses', async () => {
  const { ask, create } = await door();
  const authorization = `Bearer ${(await create(['deploy'])).text}`;
  expect((await ask('GET', '/forgotten', { authorization })).status).toBe(401);
});
