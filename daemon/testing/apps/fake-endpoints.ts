import type { RunEndpoint, RunEndpoints } from '../../apps/needs/run-endpoints.ts';
import { RunNeeds, type RunNeedsDeps } from '../../apps/needs/run-needs.ts';
import type { AssignedNeed } from '../../contract/apps/needs.ts';
import type { EndpointRef, EndpointState } from '../../contract/endpoints/endpoint.ts';
import { EndpointUnavailable } from '../../endpoints/states/errors.ts';
import { createLogger } from '../../shared/logger.ts';

/** The endpoint of an id, `lab/chat`. */
export function endpointRef(id: string): EndpointRef {
  const [namespace = '', name = ''] = id.split('/');
  return { namespace, name };
}

/** A need for text generation with an endpoint; '': none is assigned. */
export function needFor(name: string, id: string, optional = false): AssignedNeed {
  return { name, task: 'text-generation', optional, endpoint: id === '' ? null : endpointRef(id) };
}

interface FakeEndpoint {
  state: EndpointState;
  message: string;
  task?: string;
  pricePerHour?: number | null;
}

/** Endpoints that change as the test says, and the needs of runs over them. */
export class FakeEndpoints implements RunEndpoints {
  readonly all = new Map<string, FakeEndpoint>();
  /** The endpoints that were woken, in order; `given up` follows when a wait ended without it. */
  readonly calls: string[] = [];
  /** The apps whose starts woke them, in the same order. */
  readonly wokenBy: string[] = [];
  /** The keys that were issued, with the signal that ends each. */
  readonly keys: ({ readonly key: string } & Parameters<RunNeedsDeps['issueKey']>[2])[] = [];
  readonly #waits = new Set<() => void>();

  set(id: string, endpoint: FakeEndpoint | null): void {
    if (endpoint) this.all.set(id, endpoint);
    else this.all.delete(id);
    for (const look of this.#waits) look();
  }

  async find(endpoint: EndpointRef): Promise<RunEndpoint | null> {
    const id = `${endpoint.namespace}/${endpoint.name}`;
    const found = this.all.get(id);
    if (!found) return null;
    const { state, message, task = 'text-generation' } = found;
    return { endpoint, task, model: `model-of-${endpoint.name}`, state, message, isReady: state === 'running' };
  }

  async priceOf(endpoint: EndpointRef): Promise<number | null> {
    const found = this.all.get(`${endpoint.namespace}/${endpoint.name}`);
    return found?.pricePerHour === undefined ? 0 : found.pricePerHour;
  }

  async untilReady(
    endpoint: EndpointRef,
    { appName, signal, onProgress }: Parameters<RunEndpoints['untilReady']>[1],
  ): Promise<void> {
    const id = `${endpoint.namespace}/${endpoint.name}`;
    this.calls.push(`wake ${id}`);
    this.wokenBy.push(appName);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      const found = this.all.get(id);
      if (!found) reject(new EndpointUnavailable(`"${endpoint.name}" is being deleted.`, null));
      else if (found.state === 'failed') reject(new EndpointUnavailable(`It has failed: ${found.message}`, null));
      else if (found.state === 'running') resolve();
      else if (found.state !== 'scaledToZero') onProgress(found.message);
    };
    const cancel = () => reject(signal.reason);
    this.#waits.add(look);
    signal.addEventListener('abort', cancel, { once: true });
    look();
    try {
      await promise;
    } catch (error) {
      this.calls.push(`given up ${id}`);
      throw error;
    } finally {
      this.#waits.delete(look);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** The needs of runs over these endpoints. */
  needs(more: Partial<RunNeedsDeps> = {}): RunNeeds {
    return new RunNeeds({
      endpoints: this,
      urlOf: ({ namespace, name }) => `http://127.0.0.1:8000/endpoints/${namespace}/${name}/v1`,
      issueKey: (appName, { name }, run) => {
        const key = `key-${this.keys.length}-of-${appName}-for-${name}`;
        this.keys.push({ key, ...run });
        return key;
      },
      log: createLogger('error', () => {}),
      ...more,
    });
  }
}
