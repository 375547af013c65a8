import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Issue } from '../../contract/common/common.ts';
import type { Hardware } from '../../contract/compute/hardware.ts';
import type { Endpoint, EndpointPage } from '../../contract/endpoints/endpoint.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { writeSmallCatalog } from '../models/small-catalog.ts';
import { leastRequest } from '../models/some-endpoints.ts';
import { type Answer, type Asking, type CheckedDaemon, startCheckedDaemon } from './checked-daemon.ts';
import { newDataDir, type startTestDaemon } from './test-daemon.ts';

/** Deploys of one model that runs everywhere: chosen by its name, and by a recipe of it. */
export const MODEL = '/api/v1/catalog/model/ada/Tiny-GGUF/deploy';
export const RECIPE = '/api/v1/catalog/recipe/tiny-q4/deploy';
/** Where the namespace of these tests has its endpoints. */
export const LAB = '/v2/endpoint/lab';

/**
 * The tests of a file come in here: one daemon on the small catalog for all of them, which after each has no endpoints
 * any more. Replies are checked twice.
 */
export function endpointDoor(options: Parameters<typeof startTestDaemon>[0] = {}) {
  let dataDir = '';
  let checked: CheckedDaemon;
  let least: EndpointRequest;
  beforeAll(async () => {
    dataDir = await newDataDir();
    checked = await startCheckedDaemon({ dataDir, catalogFile: await writeSmallCatalog(dataDir), ...options });
    least = leastRequestOn((await ask('GET', '/v2/provider/lab')).body);
  });
  afterAll(async () => {
    await checked?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (let left = await all(); left.length > 0; left = await all()) {
      await Promise.all(
        left.map(async ({ namespace, name }) => {
          expect((await ask('DELETE', `/v2/endpoint/${namespace}/${name}`)).status).toBe(200);
        }),
      );
    }
  });

  const ask = (method: string, path: string, asking?: Asking) => checked.ask(method, path, asking);
  const post = (path: string, asking: Asking) => ask('POST', path, asking);
  const all = async (): Promise<{ namespace: string; name: string }[]> => {
    const { body } = await ask('GET', '/api/endpoints?limit=100');
    return body.endpoints.map(({ namespace, endpoint }: { namespace: string; endpoint: Endpoint }) => ({
      ...{ namespace, name: endpoint.name },
    }));
  };
  const made = async (more: object = {}): Promise<Endpoint> => {
    const { status, body } = await post(LAB, { body: { ...least, ...more } });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  return {
    ask,
    post,
    /** The names of up to 100 endpoints, the newest first. */
    names: async () => (await all()).map(({ name }) => name),
    /** Deploys into the namespace `lab`. */
    deploy: (config?: object, more: object = {}, path = MODEL) =>
      post(path, { body: { namespace: 'lab', ...(config ? { config } : {}), ...more } }),
    /** Asks for a whole endpoint `chat` of which nothing else is said than must be. */
    create: (more: object = {}) => post(LAB, { body: { ...least, ...more } }),
    /** The same, where it must succeed. */
    made,
    change: (body: object, name = 'chat') => ask('PUT', `${LAB}/${name}`, { body }),
    list: async (query = '', namespace = 'lab'): Promise<EndpointPage> =>
      (await ask('GET', `/v2/endpoint/${namespace}${query}`)).body,
    newToken: (...more: Parameters<CheckedDaemon['newToken']>) => checked.newToken(...more),
    /** The least that must be said of an endpoint on this machine. */
    get least() {
      return least;
    },
    get dataDir() {
      return dataDir;
    },
    get daemon() {
      return checked.daemon;
    },
  };
}

/** Where the issues of a refusal are, sorted. */
export function issuePaths({ status, body }: Answer): string[] {
  expect({ status, body }).toMatchObject({ status: 400, body: { issues: expect.any(Array) } });
  return (body.issues as Issue[]).map(({ path }) => path.join('.')).toSorted();
}

function leastRequestOn({ vendors }: Hardware): EndpointRequest {
  const here = vendors.find(({ name }) => name === 'local')?.regions[0]?.computes.find(({ id }) => /-host-x/.test(id));
  const least = leastRequest('chat');
  return { ...least, compute: { ...least.compute, instanceSize: here?.instanceSize ?? '' } };
}
