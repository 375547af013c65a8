import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

/** The endpoint and the path that a request is for. */
export interface GatewayTarget extends EndpointRef {
  /** For the model server: as sent, not decoded, with the query. */
  readonly pathAndQuery: string;
  /** The same without the query. */
  readonly path: string;
}

const pattern =
  /^\/endpoints\/(?<namespace>[a-z0-9-]{1,64})\/(?<name>[a-z0-9-]{1,32})(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/;

/**
 * Reads a request target without decoding it, so that an encoded character is never part of a namespace or a name.
 * @param url one that `isGatewayUrl` accepts
 * @throws GatewayRefusal for a target without an endpoint, or with dot segments
 */
export function gatewayTarget(url: string): GatewayTarget {
  const { namespace, name, path = '/', query = '' } = pattern.exec(url)?.groups ?? {};
  if (namespace === undefined || name === undefined) {
    throw new GatewayRefusal('not-found', 'The address of an endpoint is /endpoints/<namespace>/<name>.');
  }
  if (hasDotSegment(path))
    throw new GatewayRefusal('invalid-request', 'The path may not contain the segments . and ..');
  return { namespace, name, path, pathAndQuery: path + query };
}

/** Whether a server that decodes the path, once or with backslashes as slashes, could find `.` or `..` in it. */
function hasDotSegment(path: string): boolean {
  return path
    .split(/\/|\\|%2f|%5c/i)
    .map((segment) => segment.replace(/%2e/gi, '.').split(';', 1)[0])
    .some((segment) => segment === '.' || segment === '..');
}
