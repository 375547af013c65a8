import * as z from 'zod';
import { digits } from '../common/common.ts';
import { Hardware } from '../compute/hardware.ts';
import { Endpoint, EndpointName, EndpointPage, Namespace } from '../endpoints/endpoint.ts';
import { EndpointChange, EndpointRequest } from '../endpoints/endpoint-request.ts';
import { badBody, badPath, badPathOrQuery, type Operation, refused, unauthorized } from './operation.ts';

const oneOfThem = z.object({ namespace: Namespace, name: EndpointName });

const ofOne = {
  params: oneOfThem,
  token: true,
  success: { status: 200, schema: Endpoint },
} as const;
const refusalsOfOne = {
  400: badPath,
  401: unauthorized,
  404: refused('There is no such endpoint, or not for this token'),
};

/** Endpoints and what becomes of them, as the hub's own management interface has it. */
export const endpointOperations = {
  listEndpoints: {
    method: 'GET',
    path: '/v2/endpoint/{namespace}',
    summary: 'The endpoints of a namespace, newest first',
    token: true,
    params: z.object({ namespace: Namespace }),
    query: z.object({
      limit: digits(100).default(100),
      cursor: z.string().max(200).optional().describe('`nextCursor` of the page before'),
    }),
    success: { status: 200, schema: EndpointPage },
    refusals: { 400: badPathOrQuery, 401: unauthorized, 404: refused('The token is not for this namespace') },
  },
  createEndpoint: {
    method: 'POST',
    path: '/v2/endpoint/{namespace}',
    summary: 'Make an endpoint, every field of it chosen by the caller',
    token: true,
    params: z.object({ namespace: Namespace }),
    body: EndpointRequest,
    success: { status: 200, schema: Endpoint },
    refusals: {
      400: badBody,
      401: unauthorized,
      404: refused('The token is not for this namespace'),
      409: refused('No compatible compute found for the model'),
    },
  },
  getEndpoint: {
    ...ofOne,
    method: 'GET',
    path: '/v2/endpoint/{namespace}/{name}',
    summary: 'One endpoint',
    refusals: refusalsOfOne,
  },
  updateEndpoint: {
    ...ofOne,
    method: 'PUT',
    path: '/v2/endpoint/{namespace}/{name}',
    summary: 'Change an endpoint: only the members that are sent',
    body: EndpointChange,
    refusals: { ...refusalsOfOne, 400: badBody, 409: refused('No compatible compute found for the model') },
  },
  deleteEndpoint: {
    ...ofOne,
    method: 'DELETE',
    path: '/v2/endpoint/{namespace}/{name}',
    summary: 'Remove an endpoint; answers how it was',
    refusals: refusalsOfOne,
  },
  pauseEndpoint: {
    ...ofOne,
    method: 'POST',
    path: '/v2/endpoint/{namespace}/{name}/pause',
    summary: 'Stop an endpoint until it is resumed',
    refusals: refusalsOfOne,
  },
  resumeEndpoint: {
    ...ofOne,
    method: 'POST',
    path: '/v2/endpoint/{namespace}/{name}/resume',
    summary: 'Start a paused endpoint, or wake one that sleeps',
    refusals: { ...refusalsOfOne, 400: { ...badBody, description: 'It is already running' } },
  },
  scaleEndpointToZero: {
    ...ofOne,
    method: 'POST',
    path: '/v2/endpoint/{namespace}/{name}/scale-to-zero',
    summary: 'Let an endpoint sleep until it is used',
    refusals: { ...refusalsOfOne, 400: { ...badBody, description: 'It cannot sleep now: the text says why' } },
  },
  listHardware: {
    method: 'GET',
    path: '/v2/provider/{namespace}',
    summary: 'Where endpoints can compute, by vendor and region',
    token: true,
    params: z.object({ namespace: Namespace }),
    success: { status: 200, schema: Hardware },
    refusals: { 400: badPath, 401: unauthorized, 404: refused('The token is not for this namespace') },
  },
} as const satisfies Record<string, Operation>;
