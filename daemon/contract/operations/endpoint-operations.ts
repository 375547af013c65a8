import * as z from 'zod';
import { digits } from '../common/common.ts';
import { Hardware } from '../compute/hardware.ts';
import { Endpoint, EndpointName, EndpointPage, Namespace } from '../endpoints/endpoint.ts';
import { EndpointChange, EndpointRequest } from '../endpoints/endpoint-request.ts';
import { at, badBody, type Operation, refused } from './operation.ts';

const refusalsOfOne = {
  404: refused('No such endpoint for this token'),
};
const ofOne = {
  params: z.object({ namespace: Namespace, name: EndpointName }),
  caller: 'deployer',
  refusals: refusalsOfOne,
} as const;

/** Endpoints, compatible with the hub's management interface. */
export const endpointOperations = {
  listEndpoints: {
    ...at('GET /v2/endpoint/{namespace}', EndpointPage),
    summary: 'The endpoints of a namespace, newest first',
    caller: 'deployer',
    params: z.object({ namespace: Namespace }),
    query: z.object({
      limit: digits(100).default(100),
      cursor: z.string().max(200).optional().describe('`nextCursor` of the previous page'),
    }),
    refusals: { 404: refused('The token does not cover this namespace') },
  },
  createEndpoint: {
    saves: true,
    ...at('POST /v2/endpoint/{namespace}', Endpoint),
    summary: 'Create an endpoint from a full description',
    caller: 'deployer',
    params: z.object({ namespace: Namespace }),
    body: EndpointRequest,
    refusals: {
      404: refused('The token does not cover this namespace'),
      409: refused('No compatible compute found for the model'),
    },
  },
  getEndpoint: {
    ...ofOne,
    ...at('GET /v2/endpoint/{namespace}/{name}', Endpoint),
    summary: 'One endpoint',
  },
  updateEndpoint: {
    ...ofOne,
    saves: true,
    ...at('PUT /v2/endpoint/{namespace}/{name}', Endpoint),
    summary: 'Change an endpoint: only the members that are sent',
    body: EndpointChange,
    refusals: { ...refusalsOfOne, 409: refused('No compatible compute found for the model') },
  },
  deleteEndpoint: {
    ...ofOne,
    saves: true,
    ...at('DELETE /v2/endpoint/{namespace}/{name}', Endpoint),
    summary: 'Delete an endpoint; replies with its last state',
  },
  pauseEndpoint: {
    ...ofOne,
    saves: true,
    ...at('POST /v2/endpoint/{namespace}/{name}/pause', Endpoint),
    summary: 'Stop an endpoint until it is resumed',
  },
  resumeEndpoint: {
    ...ofOne,
    saves: true,
    ...at('POST /v2/endpoint/{namespace}/{name}/resume', Endpoint),
    summary: 'Start a paused or sleeping endpoint',
    refusals: { ...refusalsOfOne, 400: { ...badBody, description: 'The endpoint is already running' } },
  },
  scaleEndpointToZero: {
    ...ofOne,
    saves: true,
    ...at('POST /v2/endpoint/{namespace}/{name}/scale-to-zero', Endpoint),
    summary: 'Scale an endpoint to zero until it is used',
    refusals: {
      ...refusalsOfOne,
      400: { ...badBody, description: 'The endpoint cannot be scaled to zero now; see the error' },
    },
  },
  listHardware: {
    ...at('GET /v2/provider/{namespace}', Hardware),
    summary: 'The compute for endpoints, by vendor and region',
    caller: 'deployer',
    params: z.object({ namespace: Namespace }),
    refusals: { 404: refused('The token does not cover this namespace') },
  },
} as const satisfies Record<string, Operation>;
