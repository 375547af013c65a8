import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../access/caller.ts';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { type Authenticate, bearerToken } from '../security/authentication.ts';
import type { RequestSources } from '../security/request-sources.ts';
import { accessVerdict, isAllowedAddress, type Verdict } from './endpoint-access.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import type { GatewayTarget } from './gateway-target.ts';

export type GatewayEndpoint = Pick<Endpoint, 'type' | 'allowedOrigins' | 'network' | 'healthRoute'> & {
  readonly status: Pick<Endpoint['status'], 'createdBy'>;
};

export interface AdmissionDeps {
  /** null: there is no endpoint of that name in that namespace. */
  readonly find: (namespace: string, name: string) => Promise<GatewayEndpoint | null>;
  readonly authenticate: Authenticate;
  readonly sources: Pick<RequestSources, 'isFromHere' | 'hasRightsOfHere' | 'addressOf'>;
}

/** A request that is admitted to an endpoint. */
export interface Admitted {
  readonly endpoint: GatewayEndpoint;
  /** Aborted when the caller's right to it ends; null: it was checked, and does not end while the request lasts. */
  readonly ended: AbortSignal | null;
  /** null: unknown, which a public endpoint allows. */
  readonly caller: Caller | null;
  /** Where it comes from, for what is kept apart by address; empty: unknown. */
  readonly address: string;
}

/**
 * Admits a request to an endpoint. Runs after the guard against other sites: an Origin that is here is an own one, or one
 * that the endpoint lists.
 * @throws GatewayRefusal
 */
export async function admit(
  request: IncomingMessage,
  target: GatewayTarget,
  { find, authenticate, sources }: AdmissionDeps,
): Promise<Admitted> {
  refuseBrowserRequest(request);
  const endpoint = await find(target.namespace, target.name);
  if (!endpoint) throw refusalFor('not-found', target, null);
  // Also for a public endpoint, whose life and price ask who wakes it.
  const caller = await callerOf(request, authenticate);
  const address = sources.addressOf(request);
  const verdict = accessVerdict({
    type: endpoint.type,
    namespace: target.namespace,
    name: target.name,
    createdById: endpoint.status.createdBy.id,
    fromThisMachine: sources.hasRightsOfHere(request, caller),
    addressAllowed: isAllowedAddress(endpoint.network, address),
    caller,
  });
  if (verdict !== 'allowed') throw refusalFor(verdict, target, caller);
  return { endpoint, caller, address, ended: caller?.ended ?? null };
}

/** A model server's answer must not become a document, script, worker or image of this daemon's origin. */
function refuseBrowserRequest({ method, headers }: IncomingMessage): void {
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'empty') {
    throw new GatewayRefusal('forbidden', 'Endpoints answer programs: they show no pages, scripts or pictures.');
  }
  if (method === 'TRACE' || method === 'CONNECT') {
    throw new GatewayRefusal('method-not-allowed', `${method} is not forwarded to endpoints.`);
  }
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
    throw new GatewayRefusal(
      'forbidden',
      'This preflight names no page of another origin. Programs and pages of this daemon need none.',
    );
  }
}

/** A cookie counts only for a request that the browser says is of our own page, not for one of a page that is listed. */
function callerOf(request: IncomingMessage, authenticate: Authenticate): Promise<Caller | null> {
  const { headers } = request;
  const { 'sec-fetch-site': site, origin, host } = headers;
  const isOwnPage = site === undefined ? origin === `http://${host}` : site === 'same-origin';
  return bearerToken(headers) === null && !isOwnPage ? Promise.resolve(null) : authenticate(request);
}

function refusalFor(verdict: Exclude<Verdict, 'allowed'>, { namespace, name }: GatewayTarget, caller: Caller | null) {
  switch (verdict) {
    case 'not-found':
      return new GatewayRefusal('not-found', `There is no endpoint "${namespace}/${name}".`);
    case 'unauthorized':
      return new GatewayRefusal(
        'unauthorized',
        `A valid bearer token is required. Create one with "robot-daemon token create --scope endpoint:${namespace}/${name}".`,
      );
    case 'forbidden':
      return new GatewayRefusal(
        'forbidden',
        caller
          ? `"${caller.name}" may not use the endpoint "${namespace}/${name}". Its scopes: ${caller.scopes.join(', ')}.`
          : `The endpoint "${namespace}/${name}" does not allow this address.`,
      );
  }
}
