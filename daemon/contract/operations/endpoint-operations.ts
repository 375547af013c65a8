import * as z from 'zod';
import { digits } from '../common/common.ts';
import { Hardware } from '../compute/hardware.ts';
import { Endpoint, EndpointName, EndpointPage, Namespace } from '../endpoints/endpoint.ts';
import { EndpointChange, EndpointRequest } from '../endpoints/endpoint-request.ts';
import { at, badBody, badPath, badPathOrQuery, type Operation, refused, unauthorized } from './operation.ts';

const endpointParams = z.object({ namespace: Namespace, name: EndpointName });

const ofOne = {
  params: endpointParams,
  caller: 'deployer',
  success: { status: 200, schema: Endpoint },
} as const;
const refusalsOfOne = {
  400: badPath,
  401: unauthorized,
  404: refused('No such endpoint for this token'),
};

/** Endpoints, compatible with the hub's management interface. */
export const endpointOperations = {
  listEndpoints: {
    ...at('GET /v2/endpoint/{namespace}'),
    summary: 'The endpoints of a namespace, newest first',
    caller: 'deployer',
    params: z.object({ namespace: Namespace }),
    query: z.object({
      limit: digits(100).default(100),
      cursor: z.string().max(200).optional().describe('`nextCursor` of the previous page'),
    }),
    success: { status: 200, schema: EndpointPage },
    refusals: { 400: badPathOrQuery, 401: unauthorized, 404: refused('The token does not cover this namespace') },
  },
  createEndpoint: {
    saves: true,
    ...at('POST /v2/endpoint/{namespace}'),
    summary: 'Create an endpoint from a full description',
    caller: 'deployer',
    params: z.object({ namespace: Namespace }),
    body: EndpointRequest,
    success: { status: 200, schema: Endpoint },
    refusals: {
      400: badBody,
      401: unauthorized,
      404: refused('The token does not cover this namespace'),
      409: refused('No compatible compute found for the model'),
    },
  },
  getEndpoint: {
    ...ofOne,
    ...at('GET /v2/endpoint/{namespace}/{name}'),
    summary: 'One endpoint',
    refusals: refusalsOfOne,
  },
  updateEndpoint: {
    ...ofOne,
    saves: true,
    ...at('PUT /v2/endpoint/{namespace}/{name}'),
    summary: 'Change an endpoint: only the members that are sent',
    body: EndpointChange,
    refusals: { ...refusalsOfOne, 400: badBody, 409: refused('No compatible compute found for the model') },
  },
  deleteEndpoint: {
    ...ofOne,
    saves: true,
    ...at('DELETE /v2/endpoint/{namespace}/{name}'),
    summary: 'Delete an endpoint; replies with its last state',
    refusals: refusalsOfOne,
  },
  pauseEndpoint: {
    ...ofOne,
    saves: true,
    ...at('POST /v2/endpoint/{namespace}/{name}/pause'),
    summary: 'Stop an endpoint until it is resumed',
    refusals: refusalsOfOne,
  },
  resumeEndpoint: {
    ...ofOne,
    saves: true,
    ...at('POST /v2/endpoint/{namespace}/{name}/resume'),
    summary: 'Start a paused or sleeping endpoint',
    refusals: { ...refusalsOfOne, 400: { ...badBody, description: 'The endpoint is already running' } },
  },
  scaleEndpointToZero: {
    ...ofOne,
    saves: true,
    ...at('POST /v2/endpoint/{namespace}/{name}/scale-to-zero'),
    summary: 'Scale an endpoint to zero until it is used',
    refusals: {
      ...refusalsOfOne,
      400: { ...badBody, description: 'The endpoint cannot be scaled to zero now; see the error' },
    },
  },
  listHardware: {
    ...at('GET /v2/provider/{namespace}'),
    summary: 'The compute for endpoints, by vendor and region',
    caller: 'deployer',
    params: z.object({ namespace: Namespace }),
    success: { status: 200, schema: Hardware },
    refusals: { 400: badPath, 401: unauthorized, 404: refused('The token does not cover this namespace') },
  },
} as const satisfies Record<string, Operation>;
