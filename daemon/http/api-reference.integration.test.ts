/** The OpenAPI document and the reference page of the catalog's interface: the real daemon over real HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogOperations, olderCatalogOperations } from '../contract/operations/catalog-operations.ts';
import { endpointOperations } from '../contract/operations/endpoint-operations.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../testing/daemon/checked-daemon.ts';

let checked: CheckedDaemon;
// biome-ignore lint/suspicious/noExplicitAny: a document whose parts the tests compare
let api: any;
beforeAll(async () => {
  checked = await startCheckedDaemon();
  api = (await checked.ask('GET', '/api/v1/openapi.json', { token: null })).body;
});
afterAll(() => checked?.[Symbol.asyncDispose]());

const schemaOf = (name: string) => api.components.schemas[name];
/** Resolves a schema's own reference. */
const resolved = (schema: { $ref?: string }) => (schema.$ref ? schemaOf(schema.$ref.split('/').at(-1) ?? '') : schema);
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
}
const statusesOf = (operation: { responses: object }) => Object.keys(operation.responses).map(Number);
const bodyOf = (operation: { requestBody: { content: object } }) =>
  resolved((operation.requestBody.content as Record<string, { schema: object }>)['application/json']?.schema ?? {});

describe('the document', () => {
  test('is OpenAPI 3.1 of an interface of version 1.0.0, for everyone', async () => {
    expect(api.openapi).toMatch(/^3\.1\.\d+$/);
    expect(api.info).toMatchObject({ version: '1.0.0', title: expect.any(String) });
    expect(api.security).toBeUndefined();
    const { headers } = await checked.ask('GET', '/api/v1/openapi.json', { token: 'nobody-knows-it' });
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  });

  test('has every operation of the catalog, of endpoints and of older clients, once and at its path', () => {
    const described = Object.entries<Record<string, { operationId: string }>>(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    );
    const operations = { ...catalogOperations, ...endpointOperations, ...olderCatalogOperations };
    const expected = Object.entries(operations).map(([name, { method, path }]) => `${name}: ${method} ${path}`);
    expect(described.toSorted()).toEqual(expected.toSorted());
    expect(described).toEqual(
      expect.arrayContaining([
        'listCatalogItems: GET /api/v1/catalog/list',
        'deployCatalogModel: POST /api/v1/catalog/model/{author}/{model}/deploy',
        'deployCatalogRecipe: POST /api/v1/catalog/recipe/{recipePublicId}/deploy',
      ]),
    );
  });

  test('every reference resolves', () => {
    const references = [...JSON.stringify(api).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, name = ''] of references) expect(schemaOf(name), name).toBeDefined();
  });

  test('every method that a path of the document lacks is 405 with Allow', async () => {
    const described = Object.entries<object>(api.paths).map(([path, methods]) => [path, Object.keys(methods)] as const);
    const all = [...described, ['/api/v1', ['get']], ['/api/v1/openapi.json', ['get']]] as const;
    for (const [path, methods] of all) {
      const allowed = [...methods, ...(methods.includes('get') ? ['head'] : [])].map((method) => method.toUpperCase());
      for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'GET', 'HEAD', 'POST']) {
        if (allowed.includes(method)) continue;
        const answer = await checked.ask(method, path.replaceAll(/[{}]/g, ''), { token: null });
        expect({ path, method, status: answer.status }).toEqual({ path, method, status: 405 });
        expect(answer.headers.allow?.split(', ').toSorted()).toEqual(allowed.toSorted());
        if (method !== 'HEAD')
          expect(answer.body).toEqual({ error: expect.stringMatching(/^\w+ is not allowed here/) });
      }
    }
  });

  test('the list is conditional', () => {
    const { responses } = api.paths['/api/v1/catalog/list'].get;
    expect(responses['200'].headers.ETag).toMatchObject({ required: true, schema: { type: 'string' } });
    expect(responses['304']).toMatchObject({ headers: { ETag: expect.anything() } });
    expect(responses['304']).not.toHaveProperty('content');
  });

  test('listCatalogItems has the parameters of the specification, with exactly their values', () => {
    const { parameters, responses, requestBody, security } = api.paths['/api/v1/catalog/list'].get;
    const [tasks, enums] = [
      [
        ...['any-to-any', 'audio-classification', 'automatic-speech-recognition', 'custom', 'feature-extraction'],
        ...['fill-mask', 'image-classification', 'image-segmentation', 'image-text-to-text', 'object-detection'],
        ...['question-answering', 'sentence-similarity', 'summarization', 'table-question-answering'],
        ...['text-classification', 'text-generation', 'text-ranking', 'text-to-image', 'token-classification'],
        ...['translation', 'zero-shot-classification'],
      ],
      (parameters as Parameter[]).map(({ name, schema }) => [name, schema.enum]),
    ];
    expect(enums).toEqual([
      ['accelerator', ['cpu', 'gpu', 'neuron']],
      ['engine', ['llamacpp', 'tei', 'vllm', 'sglang']],
      ['license', undefined],
      ['limit', undefined],
      ['search', undefined],
      ['task', tasks],
    ]);
    for (const { name, in: where, required, schema } of parameters as Parameter[]) {
      expect({ where, required: required ?? false }).toEqual({ where: 'query', required: false });
      expect(schema.type).toBe(name === 'limit' ? 'integer' : 'string');
    }
    const limit = (parameters as Parameter[]).find(({ name }) => name === 'limit');
    expect(limit?.schema).toMatchObject({ minimum: 1, maximum: 9_007_199_254_740_991 });
    expect([requestBody, security]).toEqual([undefined, undefined]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '500']));
    const bad = resolved(responses['400'].content['application/json'].schema);
    expect(bad.required.toSorted()).toEqual(['details', 'error']);
    expect(resolved(responses['500'].content['application/json'].schema).required).toEqual(['error']);
  });

  test('an item and a recipe have the members of the specification, and no others', () => {
    const item = resolved(
      resolved(api.paths['/api/v1/catalog/list'].get.responses['200'].content['application/json'].schema).properties
        .items.items,
    );
    const members = ['authorName', 'createdAt', 'license', 'modelName', 'recipes', 'repoId', 'task'];
    expect([Object.keys(item.properties).toSorted(), item.required.toSorted()]).toEqual([members, members]);
    expect(resolved(item.properties.createdAt)).toMatchObject({ type: 'string', format: 'date-time' });
    const recipe = resolved(item.properties.recipes.items);
    expect(recipe).toMatchObject({ additionalProperties: false });
    expect(recipe.required.toSorted()).toEqual(['accelerator', 'engineType', 'publicId']);
    expect(recipe.properties.engineType.enum.toSorted()).toEqual([
      ...['custom', 'llamacpp', 'sglang', 'tei', 'vllm', 'vllmNeuron', 'vllmOmni'],
    ]);
    expect(Object.keys(recipe.properties).toSorted()).toEqual([
      ...['accelerator', 'engineType', 'ggufFile', 'publicId', 'revision'],
    ]);
  });

  test.each([
    [
      '/api/v1/catalog/model/{author}/{model}/deploy',
      ['author', 'model'],
      ['accelerator', 'config', 'ggufFile', 'namespace'],
    ],
    ['/api/v1/catalog/recipe/{recipePublicId}/deploy', ['recipePublicId'], ['config', 'namespace']],
  ])('%s has the parameters, the body and the statuses of the specification', (path, params, members) => {
    const operation = api.paths[path].post;
    const parameters = operation.parameters as Parameter[];
    expect(parameters.map(({ name }) => name)).toEqual(params);
    for (const { in: where, required, schema } of parameters) {
      expect({ where, required, type: schema.type }).toEqual({ where: 'path', required: true, type: 'string' });
    }
    expect(operation.requestBody.required).toBe(true);
    const body = bodyOf(operation);
    expect([Object.keys(body.properties).toSorted(), body.required, body.additionalProperties]).toEqual([
      ...[members, ['namespace'], false],
    ]);
    const config = resolved(body.properties.config);
    expect([Object.keys(config.properties).toSorted(), config.additionalProperties]).toEqual([
      ...[['name', 'privateService', 'scaling', 'type'], false],
    ]);
    expect(config.required).toBeUndefined();
    expect(config.properties.type.enum.toSorted()).toEqual(['authenticated', 'private', 'public']);
    const { scaling, privateService } = config.properties;
    expect([Object.keys(scaling.properties).toSorted(), scaling.additionalProperties]).toEqual([
      ...[['maxReplica', 'minReplica', 'scaleToZeroTimeout'], false],
    ]);
    expect(privateService).toMatchObject({
      additionalProperties: false,
      required: ['accountId'],
      properties: { region: { enum: ['us-east-1', 'eu-west-1'], default: 'us-east-1' }, shared: { type: 'boolean' } },
    });
    expect(statusesOf(operation)).toEqual(expect.arrayContaining([200, 400, 401, 404, 409, 500]));
    expect(operation.security).toEqual([{ token: [] }]);
    expect(resolved(operation.responses['400'].content['application/json'].schema).required.toSorted()).toEqual([
      ...['error', 'issues'],
    ]);
    expect(resolved(operation.responses['200'].content['application/json'].schema).required).toEqual(['endpoint']);
    for (const status of ['401', '404', '409', '500']) {
      expect(resolved(operation.responses[status].content['application/json'].schema)).toMatchObject({
        properties: { error: { type: 'string' } },
        required: ['error'],
      });
    }
  });

  test('an image has exactly one of twelve variants', () => {
    const image = schemaOf('EndpointImage');
    expect(image).toMatchObject({ additionalProperties: false, minProperties: 1, maxProperties: 1 });
    expect(Object.keys(image.properties).toSorted()).toEqual([
      ...['custom', 'hub', 'hubNeuron', 'hubServe', 'llamacpp', 'sGLang', 'tei', 'tgi', 'tgiNeuron', 'vLLM'],
      ...['vLLMNeuron', 'vLLMOmni'],
    ]);
  });
});

describe('the page', () => {
  test('is the target of the redirect', async () => {
    for (const path of ['/api/v1', '/api/v1/']) {
      const { status, headers } = await checked.ask('GET', path, { token: null });
      expect({ status, location: headers.location }).toEqual({ status: 302, location: '/api-reference/' });
    }
  });

  test('and everything that it loads is served here with the right content types', async () => {
    const { status, text, headers } = await checked.ask('GET', '/api-reference/', { token: null });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(text).not.toContain('__CSP_NONCE__');
    const kinds = { js: /^text\/javascript/, css: /^text\/css/, svg: /^image\/svg/ };
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+\.(js|css|svg))"/g)];
    expect(loaded.map(([, , kind]) => kind)).toEqual(expect.arrayContaining(['js', 'css']));
    for (const [, reference = '', kind = 'js'] of loaded) {
      const { pathname } = new URL(reference, `${checked.daemon.url}/api-reference/`);
      const part = await checked.ask('GET', pathname, { token: null });
      expect({ pathname, status: part.status, type: part.headers['content-type'] }).toEqual({
        ...{ pathname, status: 200, type: expect.stringMatching(kinds[kind as keyof typeof kinds]) },
      });
      expect(part.text.length).toBeGreaterThan(50);
    }
  });
});
