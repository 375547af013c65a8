import type { EndpointManagement } from '../../endpoints/endpoint-management.ts';
import type { Routes } from './serve-operations.ts';

export interface EndpointServices {
  readonly management: EndpointManagement;
}

/** Endpoints and hardware, compatible with the hub's management interface. */
export function endpointRoutes({ management }: EndpointServices) {
  return {
    listEndpoints: ({ params, query, caller }) => management.list(caller, params.namespace, query),
    createEndpoint: ({ params, body, caller }) => management.create(caller, params.namespace, body),
    getEndpoint: ({ params, caller }) => management.get(caller, params.namespace, params.name),
    updateEndpoint: ({ params, body, caller }) => management.update(caller, params.namespace, params.name, body),
    deleteEndpoint: ({ params, caller }) => management.remove(caller, params.namespace, params.name),
    pauseEndpoint: ({ params, caller }) => management.pause(caller, params.namespace, params.name),
    resumeEndpoint: ({ params, caller }) => management.resume(caller, params.namespace, params.name),
    scaleEndpointToZero: ({ params, caller }) => management.scaleToZero(caller, params.namespace, params.name),
    listHardware: ({ params, caller }) => management.hardware(caller, params.namespace),
  } satisfies Partial<Routes>;
}
