import type { Router } from 'express';
import type { EndpointManagement } from '../endpoints/endpoint-management.ts';
import { callerFor } from './caller.ts';
import { serve } from './serve.ts';

export interface EndpointServices {
  readonly management: EndpointManagement;
}

/** Endpoints and hardware, as the hub's management interface has them. */
export function endpointRoutes(router: Router, { management }: EndpointServices): void {
  serve(router, 'listEndpoints', ({ params, query }, { request }) =>
    management.list(callerFor(request), params.namespace, query),
  );
  serve(router, 'createEndpoint', ({ params, body }, { request }) =>
    management.create(callerFor(request), params.namespace, body),
  );
  serve(router, 'getEndpoint', ({ params }, { request }) =>
    management.get(callerFor(request), params.namespace, params.name),
  );
  serve(router, 'updateEndpoint', ({ params, body }, { request }) =>
    management.update(callerFor(request), params.namespace, params.name, body),
  );
  serve(router, 'deleteEndpoint', ({ params }, { request }) =>
    management.remove(callerFor(request), params.namespace, params.name),
  );
  serve(router, 'pauseEndpoint', ({ params }, { request }) =>
    management.pause(callerFor(request), params.namespace, params.name),
  );
  serve(router, 'resumeEndpoint', ({ params }, { request }) =>
    management.resume(callerFor(request), params.namespace, params.name),
  );
  serve(router, 'scaleEndpointToZero', ({ params }, { request }) =>
    management.scaleToZero(callerFor(request), params.namespace, params.name),
  );
  serve(router, 'listHardware', ({ params }, { request }) => management.hardware(callerFor(request), params.namespace));
}
