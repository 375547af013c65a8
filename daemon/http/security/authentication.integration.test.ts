/** Which callers may use the operations that need one, over real HTTP. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Response } from 'express';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import type { Caller } from '../../access/caller.ts';
import { DashboardSessions } from '../../access/dashboard-sessions.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import { type OperationName, operations } from '../../contract/operations/operations.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { answers, rights, type Sender } from '../../testing/access/rights.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { problemHandler } from '../problem.ts';
import { rightFor } from '../requests/operation-paths.ts';
import { type RouteInput, type Routes, serve } from '../routes/serve-operations.ts';
import { accessFor } from './access.ts';
import { authentication } from './authentication.ts';
import { RequestSources } from './request-sources.ts';

const log = createLogger('error');
const DEPLOY = '/api/v1/catalog/model/ann/tiny/deploy';
const LIST = '/v2/endpoint/lab';
/** A request with this header counts as one from another machine. */
const ELSEWHERE = 'x-from-elsewhere';

const operationNames = Object.keys(operations) as OperationName[];
/** Routes that reply with their input. */
const echoes = Object.fromEntries(
  operationNames.map((name) => [
    name,
    (input: object) => (response: Response) => void response.json({ name, ...input }),
  ]),
) as unknown as Routes;

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'caller-'));
  const tokens = new AccessTokens(join(folder, 'tokens.json'), { log, now: systemNow });
  const files = { sessions: join(folder, 'sessions.json'), code: join(folder, 'sign-in-code.json') };
  const sessions = new DashboardSessions({ tokens, files, now: () => new Date(), log, onEnded: () => {} });
  const authenticate = authentication({ tokens, sessions });
  const sources = new RequestSources({ requireToken: false, behindProxy: null });
  const access = accessFor('an access token', { tokens, authenticate, sources, isRunToken: () => false });
  const app = express();
  app.use(async ({ method, url, path, headers }, _response, next) => {
    const socket = { remoteAddress: '192.0.2.7', localAddress: '192.0.2.1' };
    const asked = { method, url, headers, socket } as unknown as IncomingMessage;
    next(headers[ELSEWHERE] ? await access.refusal(asked, path) : undefined);
  });
  app.set('query parser', 'simple');
  app.use(serve(echoes, authenticate));
  app.use(problemHandler(log, folder));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  /** Sends the path as written: fetch would normalize it. */
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

test('a bearer token identifies the caller, with the scheme in any case', async () => {
  const { ask, create } = await startServer();
  const { text, token } = await create(['deploy'], ['lab']);
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const { status, body } = await ask('GET', LIST, { authorization: `${scheme} ${text}` });
    expect({ status, caller: body.caller }).toEqual({ status: 200, caller: { kind: 'token', ...token } });
  }
});

test('the token of a command in the terminal says so in the place of its own name', async () => {
  const { ask, tokens } = await startServer();
  const { text } = await tokens.create({ name: 'lent', scopes: ['deploy'], namespaces: null, ofTerminal: true });
  const { body } = await ask('GET', LIST, { authorization: `Bearer ${text}` });
  expect(body.caller).toMatchObject({ kind: 'terminal', id: 'terminal', name: 'terminal', scopes: ['deploy'] });
});

test('the cookie of a session identifies the caller, but not under the name of another port', async () => {
  const { ask, sessions, cookieName } = await startServer();
  const secret = sessions.open();
  const { status, body } = await ask('GET', LIST, { cookie: `a=b; ${cookieName}=${secret}; c=d` });
  expect({ status, kind: body.caller.kind }).toEqual({ status: 200, kind: 'session' });
  expect((await ask('GET', LIST, { cookie: `robot-session-1=${secret}` })).status).toBe(401);
  expect((await ask('GET', LIST, { cookie: `x${cookieName}=${secret}` })).status).toBe(401);
});

test('an unknown caller gets 401 with a hint, and learns of no other fault', async () => {
  const { ask, create } = await startServer();
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

test('with a valid token the path and the body are checked', async () => {
  const { ask, create } = await startServer();
  const authorization = `Bearer ${(await create(['deploy'])).text}`;
  const json = { authorization, 'content-type': 'application/json' };
  expect((await ask('POST', DEPLOY, json, '{"namespace":')).status).toBe(400);
  expect((await ask('POST', '/api/v1/catalog/model/%E0%A4%A/x/deploy', json, '{}')).status).toBe(400);
});

test('a token with other scopes may not deploy, and the reply says so', async () => {
  const { ask, create } = await startServer();
  const authorization = `Bearer ${(await create(['daemon', 'endpoint:lab/chat'])).text}`;
  const answer = await ask('GET', LIST, { authorization });
  expect(answer).toMatchObject({
    status: 401,
    body: { error: 'The token "token-1" may not deploy. Its scopes: daemon, endpoint:lab/chat.' },
  });
  expect(answer.headers['www-authenticate']).toBe('Bearer');
});

test('a valid cookie does not help with an invalid token', async () => {
  const { ask, sessions, cookieName } = await startServer();
  const cookie = `${cookieName}=${sessions.open()}`;
  expect((await ask('GET', LIST, { cookie, authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await ask('GET', LIST, { cookie, authorization: 'Basic eDp5' })).status).toBe(200);
});

test('a revoked token is refused from the next request on', async () => {
  const { ask, create, tokens } = await startServer();
  const { text, token } = await create(['deploy']);
  const authorization = `Bearer ${text}`;
  expect((await ask('GET', LIST, { authorization })).status).toBe(200);
  await tokens.revoke(token.id);
  expect((await ask('GET', LIST, { authorization })).status).toBe(401);
});

test('open operations stay open with an invalid token', async () => {
  const { ask } = await startServer();
  expect((await ask('GET', '/api/v1/catalog/list', { authorization: 'Bearer wrong' })).status).toBe(200);
});

test('who may call an operation is as the table says, before its path and body are read; the others are for everybody', async () => {
  const { ask, create, tokens, sessions, cookieName } = await startServer();
  const bearer = ({ text }: { text: string }) => ({ authorization: `Bearer ${text}` });
  const cookie = (secret: string) => ({ cookie: `${cookieName}=${secret}` });
  const some = await create(['deploy'], ['lab']);
  const [daemon, deploy] = [bearer(await create(['daemon'])), bearer(await create(['deploy']))];
  const elsewhere = { [ELSEWHERE]: '1' };
  const headersOf: Readonly<Record<Sender, Record<string, string>>> = {
    'nothing, here': {},
    'scope daemon, here': daemon,
    'scope of an endpoint, here': bearer(await create(['endpoint:lab/chat'])),
    'scope deploy, some namespaces, here': bearer(some),
    'scope deploy, here': deploy,
    'dashboard, signed in with a token for some namespaces': cookie(
      await sessions.openWithToken(some.text, 'a browser'),
    ),
    'dashboard, signed in': cookie(sessions.open()),
    'command of the terminal': bearer(
      await tokens.create({ name: 'lent', scopes: ['deploy'], namespaces: null, ofTerminal: true }),
    ),
    'nothing, from another machine': elsewhere,
    'scope daemon, from another machine': { ...daemon, ...elsewhere },
    'scope deploy, some namespaces, from another machine': { ...bearer(some), ...elsewhere },
    'scope deploy, from another machine': { ...deploy, ...elsewhere },
    'scopes daemon and deploy, from another machine': { ...bearer(await create(['daemon', 'deploy'])), ...elsewhere },
  };
  for (const [name, { method, path }] of Object.entries<Operation>(operations)) {
    const right = rightFor(name as OperationName);
    for (const [sender, headers] of Object.entries(headersOf)) {
      const { status } = await ask(method, path.replace(/\{\w+\}/g, '%zz'), headers);
      const isFromHere = !headers[ELSEWHERE] || sender.includes('daemon');
      const expected = right === null ? (isFromHere ? 'yes' : 401) : answers[sender as Sender][rights.indexOf(right)];
      expect({ name, sender, answer: status === 401 || status === 403 ? status : 'yes' }).toEqual({
        name,
        sender,
        answer: expected,
      });
    }
  }
});

test('a caller of the contract reaches the route, with or without a slash at the end', async () => {
  const { ask, create } = await startServer();
  const authorization = `Bearer ${(await create(['deploy'])).text}`;
  for (const path of [LIST, `${LIST}/`]) {
    expect((await ask('GET', path)).status).toBe(401);
    expect(Object.keys((await ask('GET', path, { authorization })).body)).toContain('caller');
  }
  expect(Object.keys((await ask('GET', '/api/jobs')).body)).not.toContain('caller');
});

test('a refusal of a right says why, and what to use instead', async () => {
  const { ask, create } = await startServer();
  const authorization = `Bearer ${(await create(['deploy'], ['lab', 'den'])).text}`;
  expect(await ask('PUT', '/api/mail', { authorization }, '{')).toMatchObject({
    status: 403,
    body: {
      error:
        'This is about all namespaces, and the token "token-1" is for some only: lab, den. Use a token without that limit.',
    },
  });
  expect(await ask('DELETE', '/api/sessions', { authorization })).toMatchObject({
    status: 403,
    body: { error: 'No token may do this. Use the dashboard of this machine.' },
  });
});

test('SECURITY.md shows the table', async () => {
  const text = await readFile(join(projectDir, 'SECURITY.md'), 'utf8');
  for (const [sender, row] of Object.entries(answers)) expect(text).toContain(`| ${sender} | ${row.join(' | ')} |\n`);
  expect(text).toContain(`| | ${rights.map((right) => `\`${right}\``).join(' | ')} |\n`);
  for (const right of rights) {
    const names = Object.keys(operations).filter((name) => rightFor(name as OperationName) === right);
    if (right !== 'deployer') expect(text).toContain(`\`${right}\`: ${names.map((name) => `\`${name}\``).join(', ')}`);
  }
});

test('only operations that need a token have a caller in their type', () => {
  expectTypeOf<RouteInput<'whoAmI'>>().toHaveProperty('caller').toEqualTypeOf<Caller>();
  expectTypeOf<RouteInput<'createEndpoint'>>().toHaveProperty('caller').toEqualTypeOf<Caller>();
  expectTypeOf<RouteInput<'listJobs'>>().not.toHaveProperty('caller');
});
