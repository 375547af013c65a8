import type { Request, Router } from 'express';
import { mayUse } from '../access/caller.ts';
import type { ComputeOffer } from '../catalog/compute-offer.ts';
import { hardwareList } from '../catalog/hardware-list.ts';
import type { Person } from '../contract/endpoint.ts';
import { buildFromRequest } from '../endpoints/endpoint-request-builder.ts';
import type { Endpoints } from '../endpoints/endpoints.ts';
import { placedOn, replacedOn } from '../endpoints/placement.ts';
import { callerFor } from './caller.ts';
import { NamespaceNotFound } from './errors.ts';
import { serve } from './serve.ts';

export interface EndpointServices {
  readonly endpoints: Endpoints;
  readonly offers: () => Promise<readonly ComputeOffer[]>;
}

/** Endpoints and what becomes of them, as the hub's management interface has it. */
export function endpointRoutes(router: Router, { endpoints, offers }: EndpointServices): void {
  serve(router, 'listEndpoints', ({ params, query }, { request }) => {
    const { namespace } = personIn(params, request);
    return endpoints.list(namespace, query);
  });
  serve(router, 'createEndpoint', async ({ params, body }, { request }) => {
    const { namespace, person } = personIn(params, request);
    await endpoints.load();
    const parts = placedOn(await offers(), buildFromRequest(body, endpoints.isTaken));
    return endpoints.create({ namespace, parts, person, reasons: [], namePath: ['name'] });
  });
  serve(router, 'getEndpoint', ({ params }, { request }) => {
    const { namespace } = personIn(params, request);
    return endpoints.get(namespace, params.name);
  });
  serve(router, 'updateEndpoint', async ({ params, body }, { request }) => {
    const { namespace, person } = personIn(params, request);
    const there = await offers();
    return endpoints.update(namespace, params.name, body, person, (before, after) => replacedOn(there, before, after));
  });
  serve(router, 'deleteEndpoint', ({ params }, { request }) => {
    const { namespace } = personIn(params, request);
    return endpoints.remove(namespace, params.name);
  });
  serve(router, 'pauseEndpoint', ({ params }, { request }) => {
    const { namespace, person } = personIn(params, request);
    return endpoints.pause(namespace, params.name, person);
  });
  serve(router, 'resumeEndpoint', ({ params }, { request }) => {
    const { namespace, person } = personIn(params, request);
    return endpoints.resume(namespace, params.name, person);
  });
  serve(router, 'scaleEndpointToZero', ({ params }, { request }) => {
    const { namespace, person } = personIn(params, request);
    return endpoints.scaleToZero(namespace, params.name, person);
  });
  serve(router, 'listHardware', async ({ params }, { request }) => {
    personIn(params, request);
    return hardwareList(await offers());
  });
}

/** Who asks, where they may. @throws NamespaceNotFound */
function personIn({ namespace }: { readonly namespace: string }, request: Request) {
  const caller = callerFor(request);
  if (!mayUse(caller, namespace)) throw new NamespaceNotFound(namespace);
  const person: Person = { id: caller.id, name: caller.name };
  return { namespace, person };
}
