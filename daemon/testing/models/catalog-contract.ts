/** The tests of listing that every catalog service must pass: the fake one and the daemon's own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CatalogItem, CatalogList } from '../../contract/catalog/catalog.ts';

export interface CatalogUnderTest {
  /** Ends in `/api/v1`. */
  readonly base: string;
  readonly close: () => PromiseLike<unknown>;
}

const item = (repoId: string, createdAt: string, more: Partial<CatalogItem>): CatalogItem => {
  const [authorName = '', modelName = ''] = repoId.split('/');
  return { modelName, createdAt, authorName, license: 'mit', repoId, task: 'text-generation', recipes: [], ...more };
};

/** Sorted like the list. */
export const catalogSample: readonly CatalogItem[] = [
  item('ada/Poet-GGUF', '2026-03-01T00:00:00.000Z', {
    recipes: [
      { accelerator: 'cpu', engineType: 'llamacpp', ggufFile: 'q4/poet-Q4_K_M.gguf', publicId: 'poet-gguf-cpu' },
      { accelerator: 'gpu', engineType: 'llamacpp', ggufFile: 'q4/poet-Q4_K_M.gguf', publicId: 'poet-gguf-gpu' },
    ],
  }),
  item('ada/Poet', '2026-02-01T00:00:00.000Z', {
    license: 'apache-2.0',
    recipes: [
      { accelerator: 'gpu', engineType: 'vllm', publicId: 'poet-vllm-gpu', revision: 'main' },
      { accelerator: 'neuron', engineType: 'vllmNeuron', publicId: 'poet-neuron' },
    ],
  }),
  item('bob/a.b+c', '2026-02-01T00:00:00.000Z', {
    repoId: 'bob/a.b-c',
    task: 'feature-extraction',
    recipes: [
      { accelerator: 'cpu', engineType: 'tei', publicId: 'abc-tei-cpu' },
      { accelerator: 'gpu', engineType: 'custom', publicId: 'abc-custom-gpu' },
    ],
  }),
  item('bob/old', '2025-02-01T00:00:00.000Z', {
    recipes: [{ accelerator: 'gpu', engineType: 'sglang', publicId: 'old-sglang-gpu' }],
  }),
];
const all = ['ada/Poet-GGUF', 'ada/Poet', 'bob/a.b-c', 'bob/old'];

/** @param start starts a service that lists exactly these items */
export function catalogContract(start: (items: readonly CatalogItem[]) => Promise<CatalogUnderTest>): void {
  let service: CatalogUnderTest;
  beforeAll(async () => {
    service = await start(catalogSample.toReversed());
  });
  afterAll(() => service.close());

  const get = (query = '', headers: Record<string, string> = {}) =>
    fetch(`${service.base}/catalog/list${query}`, { headers });
  async function listed(query: string): Promise<string[]> {
    const response = await get(query);
    expect(response.status).toBe(200);
    return CatalogList.parse(await response.json()).items.map(({ repoId }) => repoId);
  }

  describe('a list', () => {
    test('has every item complete, newest first, and needs no token', async () => {
      for (const headers of [{}, { authorization: 'Bearer nobody-knows-it' }]) {
        const response = await get('', headers);
        expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
        expect([response.status, await response.json()]).toEqual([200, { items: catalogSample }]);
      }
    });

    test.each([
      ['?task=text-generation', ['ada/Poet-GGUF', 'ada/Poet', 'bob/old']],
      ['?license=MIT', ['ada/Poet-GGUF', 'bob/a.b-c', 'bob/old']],
      ['?license=apache', []],
      ['?license=&search=', all],
      ['?accelerator=neuron', ['ada/Poet']],
      ['?engine=vllm', ['ada/Poet']],
      ['?engine=llamacpp', ['ada/Poet-GGUF']],
      ['?accelerator=cpu&engine=vllm', []],
      ['?accelerator=gpu&engine=tei', []],
      ['?accelerator=cpu&engine=tei', ['bob/a.b-c']],
      ['?search=poet', ['ada/Poet-GGUF', 'ada/Poet']],
      ['?search=%20GENERATION%20%20BOB%20', ['bob/old']],
      ['?search=Q4_k_m', ['ada/Poet-GGUF']],
      ['?search=a.b', ['bob/a.b-c']],
      ['?search=b%2bc', ['bob/a.b-c']],
      ['?search=.*', []],
      ['?search=poet&license=mit&accelerator=gpu&engine=llamacpp&task=text-generation&limit=5', ['ada/Poet-GGUF']],
      ['?limit=1', all.slice(0, 1)],
      ['?limit=003', all.slice(0, 3)],
      ['?limit=9007199254740991', all],
      ['?accelerator=gpu&limit=2', all.slice(0, 2)],
      ['?task=text-generation&limit=2', all.slice(0, 2)],
      ['?somethingNewer=1', all],
    ])('%s has %j', async (query, expected) => {
      expect(await listed(query)).toEqual(expected);
    });

    test.each([
      ...['0', '-1', '1.5', '1e3', '0x10', '%2b5', '%205%20', '', 'abc', '9007199254740992'].map((of) => `limit=${of}`),
      ...['accelerator=GPU', 'accelerator=zero_gpu', 'accelerator=', 'engine=custom', 'engine=vllmNeuron', 'engine='],
      ...['task=dreaming', 'task=', 'limit=1&limit=2', 'search=a&search=b', `search=${'a'.repeat(201)}`],
    ])('%s is refused', async (query) => {
      const response = await get(`?${query}`);
      const body = await response.json();
      expect([response.status, Object.keys(body as object).sort()]).toEqual([400, ['details', 'error']]);
      expect(body).toEqual({ error: expect.stringMatching(/./), details: expect.anything() });
    });
  });
}
