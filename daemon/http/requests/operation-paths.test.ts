import { expect, test } from 'vitest';
import type { Operation } from '../../contract/operations/operation.ts';
import { type OperationName, operations } from '../../contract/operations/operations.ts';
import { isInterfacePath, operationAt, operationsAt, rightFor } from './operation-paths.ts';

const contract = Object.entries<Operation>(operations);
const values = ['x', 'a.b-c', '%2F', '%E0%A4%A', '..', '{name}', 'refresh'];
const filled = (path: string, value: string) => path.replace(/\{\w+\}/g, value);

test('each operation is found at its path with any parameters, with or without a trailing slash', () => {
  for (const [name, { method, path }] of contract) {
    for (const value of values) {
      const sent = filled(path, value);
      for (const at of [sent, `${sent}/`]) expect(operationAt(method, at), `${method} ${at}`).toBe(name);
      const count = path.match(/\{/g)?.length ?? 0;
      expect(operationsAt(sent)?.encodedParams).toEqual(Array(count).fill(value));
    }
  }
});

test('HEAD finds what GET finds; no other method does', () => {
  for (const [name, { method, path }] of contract) {
    const at = filled(path, 'x');
    if (method === 'GET') expect(operationAt('HEAD', at)).toBe(name);
    for (const other of ['OPTIONS', 'TRACE', 'get']) expect(operationAt(other, at)).toBeNull();
  }
});

test('a path lists all its methods', () => {
  expect(Object.fromEntries(operationsAt('/v2/endpoint/local')?.byMethod ?? [])).toEqual({
    GET: 'listEndpoints',
    POST: 'createEndpoint',
  });
});

test.each([
  ['another case', '/API/jobs'],
  ['an encoded letter', '/%61pi/jobs'],
  ['an empty parameter', '/v2/endpoint//chat'],
  ['two slashes at the end', '/api/jobs//'],
  ['two slashes at the start', '//api/jobs'],
  ['one segment more', '/api/apps/list/x'],
  ['a part of a path', '/api/apps'],
  ['a property of objects', '/api/constructor'],
  ['the root', '/'],
  ['no path', '*'],
])('%s is no operation', (_what, path) => expect(operationsAt(path)).toBeNull());

test('deploying and every endpoint operation need a caller; reading the catalog does not', () => {
  const needing = contract.filter(([name]) => rightFor(name as OperationName)).map(([, { path }]) => path);
  expect(new Set(needing)).toEqual(
    new Set([
      ...contract.map(([, { path }]) => path).filter((path) => path.startsWith('/v2/')),
      ...['/api/v1/catalog/model/{author}/{model}/deploy', '/api/v1/catalog/recipe/{recipePublicId}/deploy'],
      ...['/api/catalog/deploy', '/api/whoami-v2'],
      ...['/api/endpoints/{namespace}/{name}/log', '/api/endpoints/{namespace}/{name}/log/file'],
      '/api/apps/installed/{appName}/needs/{need}', // it gives access to an endpoint
      ...['/api/model-files/check', '/api/model-files/{fileId}'],
      ...['/api/runtimes/llama-server/install', '/api/sessions', '/api/sessions/{sessionId}'],
      ...['/api/mail', '/api/mail/test'],
      ...['/api/doctor', '/api/doctor/check', '/api/problem-report'],
      ...['/api/graphics-cards', '/api/graphics-cards/try-again'], // to change them
      ...['/api/desktop', '/api/desktop/update', '/api/daemon/restart'],
      ...['/api/session/code', '/api/tokens', '/api/tokens/{tokenId}'],
    ]),
  );
});

test('the interface for programs is under the roots of the operations and of the socket', () => {
  for (const [, { path }] of contract) expect(isInterfacePath(path), path).toBe(true);
  for (const path of ['/api', '/api/', '/api/nothing', '/v2', '/ws/sdk', '/endpoints', '/endpoints/a/b/v1'])
    expect(isInterfacePath(path), path).toBe(true);
  for (const path of ['/', '/apix', '/API/jobs', '/sign-in', '/assets/api', '//api', '*']) {
    expect(isInterfacePath(path), path).toBe(false);
  }
});
