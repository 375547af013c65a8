import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { Issue } from '../../contract/common/common.ts';
import type { Hardware } from '../../contract/compute/hardware.ts';
import type { Endpoint, EndpointPage, EndpointState } from '../../contract/endpoints/endpoint.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { writeSmallCatalog } from '../models/small-catalog.ts';
import { minimalRequest } from '../models/some-endpoints.ts';
import { type Answer, type CheckedDaemon, type RequestOptions, startCheckedDaemon } from './checked-daemon.ts';
import { newDataDir, type startTestDaemon } from './test-daemon.ts';

/** Deploys of a model that runs everywhere: by its name, and by one of its recipes. */
export const MODEL = '/api/v1/catalog/model/ada/Tiny-GGUF/deploy';
export const RECIPE = '/api/v1/catalog/recipe/tiny-q4/deploy';
/** The endpoints of these tests' namespace. */
export const LAB = '/v2/endpoint/lab';

/** A tiny model is ready within this time on a busy machine. */
const START_MS = 30_000;

/**
 * Calls for the tests of a file, which share one daemon with the small catalog. Its endpoints are removed after each
 * test. Replies are checked by ContractChecker.
 */
export function endpointApi(options: Parameters<typeof startTestDaemon>[0] = {}) {
  let dataDir = '';
  let checked: CheckedDaemon;
  let minimal: EndpointRequest;
  beforeAll(async () => {
    dataDir = await newDataDir();
    checked = await startCheckedDaemon({ dataDir, catalogFile: await writeSmallCatalog(dataDir), ...options });
    minimal = minimalRequestOn((await ask('GET', '/v2/provider/lab')).body);
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

  const ask = (method: string, path: string, options?: RequestOptions) => checked.ask(method, path, options);
  const post = (path: string, options: RequestOptions) => ask('POST', path, options);
  const all = async (): Promise<{ namespace: string; name: string }[]> => {
    const { body } = await ask('GET', '/api/endpoints?limit=100');
    return body.endpoints.map(({ namespace, endpoint }: { namespace: string; endpoint: Endpoint }) => ({
      ...{ namespace, name: endpoint.name },
    }));
  };
  const made = async (more: object = {}): Promise<Endpoint> => {
    const { status, body } = await post(LAB, { body: { ...minimal, ...more } });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const reached = (state: EndpointState, name = 'chat') => reachedState(checked, `${LAB}/${name}`, state);
  return {
    ask,
    post,
    /** Waits until an endpoint is in a state. */
    reached,
    /**
     * Creates an endpoint from a minimal request, whose image nothing runs on this machine: once that is found out, it
     * changes no more by itself.
     */
    failed: async (more: { name?: string } = {}) => reached('failed', (await made(more)).name),
    /** The names of up to 100 endpoints, the newest first. */
    names: async () => (await all()).map(({ name }) => name),
    /** Deploys into the namespace `lab`. */
    deploy: (config?: object, more: object = {}, path = MODEL) =>
      post(path, { body: { namespace: 'lab', ...(config ? { config } : {}), ...more } }),
    /** Creates an endpoint `chat` from a minimal request. */
    create: (more: object = {}) => post(LAB, { body: { ...minimal, ...more } }),
    /** The same; fails the test when it is refused. */
    made,
    change: (body: object, name = 'chat') => ask('PUT', `${LAB}/${name}`, { body }),
    list: async (query = '', namespace = 'lab'): Promise<EndpointPage> =>
      (await ask('GET', `/v2/endpoint/${namespace}${query}`)).body,
    newToken: (...more: Parameters<CheckedDaemon['newToken']>) => checked.newToken(...more),
    /** The minimal request for an endpoint on this machine. */
    get minimal() {
      return minimal;
    },
    get dataDir() {
      return dataDir;
    },
    get daemon() {
      return checked.daemon;
    },
  };
}

/** Waits until the endpoint at a path is in a state. */
export async function reachedState(
  { ask }: Pick<CheckedDaemon, 'ask'>,
  path: string,
  state: EndpointState,
): Promise<Endpoint> {
  return vi.waitFor(
    async () => {
      const { body } = await ask('GET', path);
      expect(body.status).toMatchObject({ state });
      return body;
    },
    { timeout: START_MS, interval: 20 },
  );
}

/** An endpoint without the members that change by themselves while it starts. */
export function withoutProgress({ status, ...parts }: Endpoint) {
  const { createdAt, createdBy, updatedBy, private: link, url } = status;
  return { ...parts, status: { createdAt, createdBy, updatedBy, private: link, url } };
}

/** The paths of a refusal's issues, sorted. */
export function issuePaths({ status, body }: Answer): string[] {
  expect({ status, body }).toMatchObject({ status: 400, body: { issues: expect.any(Array) } });
  return (body.issues as Issue[]).map(({ path }) => path.join('.')).toSorted();
}

/** The minimal request for an endpoint `chat` on this machine, by its hardware. */
export function minimalRequestOn({ vendors }: Hardware): EndpointRequest {
  const here = vendors.find(({ name }) => name === 'local')?.regions[0]?.computes.find(({ id }) => /-host-x/.test(id));
  const request = minimalRequest('chat');
  return { ...request, compute: { ...request.compute, instanceSize: here?.instanceSize ?? '' } };
}
