import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { ANY_ORIGIN, type EndpointRef, MAX_ORIGIN_LENGTH } from '../../contract/endpoints/endpoint.ts';
import { NO_ORIGIN } from '../../endpoints/description/allowed-origins.ts';
import { ForeignRequest } from '../requests/errors.ts';
import { looksFromHere } from '../security/request-sources.ts';
import type { AdmissionDeps } from './admission.ts';
import { type GatewayTarget, gatewayTarget } from './gateway-target.ts';
import { setGuardHeaders } from './passed-headers.ts';

export interface ListedPagesDeps extends Pick<AdmissionDeps, 'find'> {
  /** The origins of the running app's own page, for an endpoint of one of its needs. */
  readonly appPages: (endpoint: EndpointRef) => readonly string[];
}

/** Browsers take the answer to a preflight from their memory for so long. The requests that follow are looked at each time. */
const PREFLIGHT_S = 600;

/**
 * Allows a page of another origin to send a request to an endpoint that lists it, and to read the answer, also where the
 * gateway refuses (CORS). Never with credentials: no cookie counts, so the page needs a token where a program does.
 * @param origin as the browser sent it
 * @param request its URL is one of the gateway
 * @returns whether it was a preflight, which is answered
 * @throws ForeignRequest, GatewayRefusal
 */
export async function allowListedPage(
  origin: string,
  request: Request,
  response: Response,
  deps: ListedPagesDeps,
): Promise<boolean> {
  response.vary('Origin');
  const target = gatewayTarget(request.url);
  if (!(await isListed(origin, request, target, deps))) throw new ForeignRequest(unlisted(origin, target));
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', '*'); // a list of harmless headers passes
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  // Any header may be sent: one that is not known does not pass. The star does not stand for Authorization.
  response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_S);
  setGuardHeaders(response);
  response.status(204).end();
  return true;
}

/**
 * Whether an endpoint of that name lists the page. For another machine a private one lists none: it does not exist there. A
 * page of this machine counts as one also beside a proxy at the same address: its requests then need a token.
 */
async function isListed(
  origin: string,
  request: IncomingMessage,
  { namespace, name }: GatewayTarget,
  { find, appPages }: ListedPagesDeps,
): Promise<boolean> {
  const endpoint = await find(namespace, name);
  if (!endpoint) return false;
  const { allowedOrigins, type } = endpoint;
  const isHere = looksFromHere(request);
  if (type === 'private' && !isHere) return false;
  if (allowedOrigins.includes(origin) || allowedOrigins.includes(ANY_ORIGIN)) return true;
  return isHere && appPages({ namespace, name }).includes(origin);
}

/** Says the same of an endpoint that does not exist. */
function unlisted(origin: string, { namespace, name }: GatewayTarget): string {
  if (origin === 'null') return `A page without an origin may not use this endpoint. ${NO_ORIGIN}`;
  return `Pages of ${origin.slice(0, MAX_ORIGIN_LENGTH)} may not use this endpoint. Its owner can list this origin: on the page of the endpoint in the dashboard, under Settings, "Pages that may use it", or as "allowedOrigins" with PUT /v2/endpoint/${namespace}/${name}.`;
}
