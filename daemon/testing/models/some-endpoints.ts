import type { EndpointStatus } from '../../contract/endpoints/endpoint.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import type { EndpointParts } from '../../endpoints/description/endpoint-parts.ts';
import { buildFromRequest } from '../../endpoints/description/endpoint-request-builder.ts';
import { Endpoints, type EndpointsDeps } from '../../endpoints/endpoints.ts';
import { NO_RUNTIME_YET } from '../../endpoints/states/endpoint-lifecycle.ts';
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
export function pendingSince(createdAt: string): EndpointStatus {
  return {
    ...{ state: 'pending', message: NO_RUNTIME_YET, private: null, readyReplica: 0, targetReplica: 0 },
    ...{ createdAt, createdBy: somebody, updatedAt: createdAt, updatedBy: somebody },
  };
}

/** Reverses texts: sealed values differ from their input and can be read again. */
export const backwards: SecretStore = {
  encrypt: async (text) => `sealed:${Array.from(text).reverse().join('')}`,
  decrypt: async (sealed) => Array.from(sealed.slice('sealed:'.length)).reverse().join(''),
};

/** The endpoints stored in a folder, not yet loaded. */
export function endpointsIn(folder: string, more: Partial<EndpointsDeps> = {}): Endpoints {
  return new Endpoints({
    folder,
    secrets: backwards,
    waitsFor: NO_RUNTIME_YET,
    publish: () => {},
    now: () => new Date(),
    log: createLogger('error', () => {}),
    ...more,
  });
}
