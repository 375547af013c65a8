import { expect, test } from 'vitest';
import { catalogApiDocument, openApiDocument } from '../../http/openapi.ts';
import { partsNamed, pendingSince } from '../models/some-endpoints.ts';
import { ContractChecker } from './contract-checker.ts';

/** As it comes over HTTP. */
const asServed = (document: object): object => JSON.parse(JSON.stringify(document)) as object;
const checker = new ContractChecker([asServed(catalogApiDocument()), asServed(openApiDocument('1'))]);
const json = { contentType: 'application/json; charset=utf-8' };
const item = {
  ...{ modelName: 'a', createdAt: '2026-01-01T00:00:00.000Z', authorName: 'b', license: 'mit', repoId: 'b/a' },
  ...{ task: 'custom', recipes: [{ accelerator: 'cpu', engineType: 'tei', publicId: 'a-tei' }] },
};
const endpoint = { ...partsNamed('chat'), status: pendingSince('2026-01-01T00:00:00.000Z') };
const listed = (more: object) => ({ status: 200, ...json, body: { items: [{ ...item, ...more }] } });
const deployed = (more: object) => ({ status: 200, ...json, body: { endpoint: { ...endpoint, ...more } } });

test('what is as the contract says passes both looks', () => {
  expect(checker.problems('listCatalogItems', listed({}))).toEqual([]);
  expect(checker.problems('deployCatalogModel', deployed({}))).toEqual([]);
  const refused = { status: 404, ...json, body: { error: 'There is no such thing.' } };
  expect(checker.problems('deployCatalogModel', refused)).toEqual([]);
  expect(checker.problems('getModel', refused)).toEqual([]);
});

test.each([
  ['a member too many', listed({ x: {} })],
  ['one of null that should be absent', listed({ recipes: [{ ...item.recipes[0], revision: null }] })],
  ['one too many further down', listed({ recipes: [{ ...item.recipes[0], weightBytes: 1 }] })],
  ['one too few', listed({ license: undefined })],
  ['a moment that is not in UTC', listed({ createdAt: '2026-01-01T00:00:00.000+00:00' })],
])('each look by itself sees %s in an item', (_, reply) => {
  const body: unknown = JSON.parse(JSON.stringify(reply.body));
  expect(checker.problems('listCatalogItems', { ...reply, body })).toEqual([
    expect.stringMatching(/by the contract|more or less/),
    expect.stringContaining('by the document'),
  ]);
});

test.each([
  ['a state that is none', { status: { ...endpoint.status, state: 'sleepy' } }],
  ['two images', { model: { ...endpoint.model, image: { hub: {}, tei: { url: 'x' } } } }],
  ['no image', { model: { ...endpoint.model, image: {} } }],
  ['a name that is too long', { name: 'x'.repeat(33) }],
  ['a network of no addresses', { network: { cidrBlock: true, cidrList: ['10.0.0.0/33'] } }],
  ['a measure of two things', scaledBy({ hardwareUsage: 1, pendingRequests: 1 })],
  ['an older word', { compute: { ...endpoint.compute, scaling: { ...endpoint.compute.scaling, metric: null } } }],
])('each look by itself sees %s in an endpoint', (_, more) => {
  expect(checker.problems('deployCatalogModel', deployed(more))).toEqual([
    expect.stringContaining('by the contract'),
    expect.stringContaining('by the document'),
  ]);
});

test('a status that nobody announced, another content type and no body are wrong', () => {
  const teapot = { status: 418, ...json, body: { error: 'I am one.' } };
  expect(checker.problems('listCatalogItems', teapot)).toEqual([
    'listCatalogItems answers 418: the contract has no such status',
    'listCatalogItems answers 418: the document has no such status',
  ]);
  expect(checker.problems('listCatalogItems', { ...listed({}), contentType: 'text/html' })).toHaveLength(1);
  expect(checker.problems('listCatalogItems', { status: 200, contentType: null, body: null })).toHaveLength(1);
});

test('a refusal has the shape of its own status, no other', () => {
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

test('a document that does not describe an operation is not taken for one that does', () => {
  const alone = new ContractChecker([asServed(catalogApiDocument())]);
  const answer = { status: 404, ...json, body: { error: 'No.' } };
  expect(alone.problems('getModel', answer)).toEqual(['getModel answers 404: no document describes the operation']);
});

function scaledBy(measure: object): object {
  return { compute: { ...endpoint.compute, scaling: { ...endpoint.compute.scaling, measure } } };
}
