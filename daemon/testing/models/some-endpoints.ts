import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { buildFromRequest } from '../../endpoints/description/endpoint-builder.ts';
import type { EndpointParts } from '../../endpoints/description/endpoint-parts.ts';
import { Endpoints, type EndpointsDeps } from '../../endpoints/endpoints.ts';
import type { StoredStatus } from '../../endpoints/records/stored-endpoint.ts';
import { EndpointOutput } from '../../endpoints/replicas/endpoint-output.ts';
import { systemClock } from '../../shared/clock.ts';
import type { SecretStore } from '../../shared/files/secret-store.ts';
import { createLogger } from '../../shared/logger.ts';

export const somebody = { id: 'u1', name: 'somebody' };

/** The minimal request for an endpoint, like the hub's stock client sends it. */
export function minimalRequest(name: string): EndpointRequest {
  return {
    name,
    type: 'authenticated',
    provider: { vendor: 'local', region: 'this-machine' },
    compute: {
      accelerator: 'cpu',
      instanceType: 'host',
      instanceSize: 'x2',
      scaling: { minReplica: 0, maxReplica: 1 },
    },
    model: { repository: 'somebody/a-model', framework: 'pytorch', image: { hub: {} } },
  };
}

export function partsNamed(name: string, more: Partial<EndpointRequest> = {}): EndpointParts {
  return buildFromRequest({ ...minimalRequest(name), ...more }, () => false);
}

/** The status of an endpoint created at a time. */
export function pendingSince(createdAt: string): StoredStatus {
  return {
    ...{ state: 'pending', message: 'Waiting to start.', private: null, readyReplica: 0, targetReplica: 0 },
    ...{ createdAt, createdBy: somebody, updatedAt: createdAt, updatedBy: somebody },
  };
}

/** Reverses texts: sealed values differ from their input and can be read again. */
export const backwards: SecretStore = {
  keeping: () => ({ kept: 'keychain' }),
  encrypt: async (text) => `sealed:${Array.from(text).reverse().join('')}`,
  decrypt: async (sealed) => Array.from(sealed.slice('sealed:'.length)).reverse().join(''),
};

/** The endpoints stored in a folder, not yet loaded. */
export function endpointsIn(folder: string, more: Partial<EndpointsDeps> = {}): Endpoints {
  return new Endpoints({
    folder,
    secrets: backwards,
    publish: () => {},
    now: () => new Date(),
    log: createLogger('error', () => {}),
    ...more,
  });
}

/** The dependencies of endpoints without processes. */
export const noProcesses = {
  removeAfterEnd: <T>(_endpoint: EndpointRef, remove: () => Promise<T>) => remove(),
  output: () => new EndpointOutput(systemClock, () => {}),
};
