import { expect, test } from 'vitest';
import { catalogApiDocument, openApiDocument } from '../../http/openapi.ts';
import { partsNamed, pendingSince } from '../models/some-endpoints.ts';
import { ContractChecker } from './contract-checker.ts';

/** The document after its way over HTTP. */
const asServed = (document: object): object => JSON.parse(JSON.stringify(document)) as object;
const checker = new ContractChecker([asServed(catalogApiDocument()), asServed(openApiDocument('1'))]);
const json = { contentType: 'application/json; charset=utf-8' };
const item = {
  ...{ modelName: 'a', createdAt: '2026-01-01T00:00:00.000Z', authorName: 'b', license: 'mit', repoId: 'b/a' },
  ...{ task: 'custom', recipes: [{ accelerator: 'cpu', engineType: 'tei', publicId: 'a-tei' }] },
};
const status = { ...pendingSince('2026-01-01T00:00:00.000Z'), url: 'http://127.0.0.1:8000/endpoints/me/chat' };
const endpoint = { ...partsNamed('chat'), status };
const listed = (more: object) => ({ status: 200, ...json, body: { items: [{ ...item, ...more }] } });
const deployed = (more: object) => ({ status: 200, ...json, body: { endpoint: { ...endpoint, ...more } } });

test('a correct reply passes both checks', () => {
  expect(checker.problems('listCatalogItems', listed({}))).toEqual([]);
  expect(checker.problems('deployCatalogModel', deployed({}))).toEqual([]);
  const refused = { status: 404, ...json, body: { error: 'There is no such thing.' } };
  expect(checker.problems('deployCatalogModel', refused)).toEqual([]);
  expect(checker.problems('getModel', refused)).toEqual([]);
});

test.each([
  ['an extra member', listed({ x: {} })],
  ['a null member that should be absent', listed({ recipes: [{ ...item.recipes[0], revision: null }] })],
  ['an extra nested member', listed({ recipes: [{ ...item.recipes[0], weightBytes: 1 }] })],
  ['a missing member', listed({ license: undefined })],
  ['a time that is not in UTC', listed({ createdAt: '2026-01-01T00:00:00.000+00:00' })],
])('each check alone finds %s in an item', (_, reply) => {
  const body: unknown = JSON.parse(JSON.stringify(reply.body));
  expect(checker.problems('listCatalogItems', { ...reply, body })).toEqual([
    expect.stringMatching(/by the contract|more or less/),
    expect.stringContaining('by the document'),
  ]);
});

test.each([
  ['an unknown state', { status: { ...endpoint.status, state: 'sleepy' } }],
  ['two images', { model: { ...endpoint.model, image: { hub: {}, tei: { url: 'x' } } } }],
  ['no image', { model: { ...endpoint.model, image: {} } }],
  ['a name that is too long', { name: 'x'.repeat(33) }],
  ['an invalid network address', { network: { cidrBlock: true, cidrList: ['10.0.0.0/33'] } }],
  ['two measures', scaledBy({ hardwareUsage: 1, pendingRequests: 1 })],
  ['a deprecated field', { compute: { ...endpoint.compute, scaling: { ...endpoint.compute.scaling, metric: null } } }],
])('each check alone finds %s in an endpoint', (_, more) => {
  expect(checker.problems('deployCatalogModel', deployed(more))).toEqual([
    expect.stringContaining('by the contract'),
    expect.stringContaining('by the document'),
  ]);
});

test('an undocumented status, another content type and a missing body are problems', () => {
  const teapot = { status: 418, ...json, body: { error: 'I am one.' } };
  expect(checker.problems('listCatalogItems', teapot)).toEqual([
    'listCatalogItems answers 418: the contract has no such status',
    'listCatalogItems answers 418: the document has no such status',
  ]);
  expect(checker.problems('listCatalogItems', { ...listed({}), contentType: 'text/html' })).toHaveLength(1);
  expect(checker.problems('listCatalogItems', { status: 200, contentType: null, body: null })).toHaveLength(1);
});

test('a refusal must have the shape of its own operation', () => {
  const issues = [{ path: [], message: 'wrong' }];
  const badBody = { status: 400, ...json, body: { error: 'No.', issues } };
  expect(checker.problems('deployCatalogModel', badBody)).toEqual([]);
  expect(checker.problems('listCatalogItems', badBody)).toHaveLength(2);
  const badQuery = { status: 400, ...json, body: { error: 'No.', details: issues } };
  expect(checker.problems('listCatalogItems', badQuery)).toEqual([]);
  expect(checker.problems('deployCatalogModel', badQuery)).toHaveLength(2);
  const both = { status: 400, ...json, body: { error: 'No.', details: issues, issues } };
  expect(checker.problems('listCatalogItems', both)).toHaveLength(2);
});

test('an operation that no document describes is a problem', () => {
  const alone = new ContractChecker([asServed(catalogApiDocument())]);
  const answer = { status: 404, ...json, body: { error: 'No.' } };
  expect(alone.problems('getModel', answer)).toEqual(['getModel answers 404: no document describes the operation']);
});

function scaledBy(measure: object): object {
  return { compute: { ...endpoint.compute, scaling: { ...endpoint.compute.scaling, measure } } };
}
