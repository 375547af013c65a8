import type { IncomingHttpHeaders } from 'node:http';
import { isInterfacePath } from '../requests/operation-paths.ts';

export interface GuardedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Why a request is refused, or null. Closes the daemon to web pages of other sites:
 * - Host stops DNS rebinding: a page whose name was pointed at this machine still sends its own name.
 * - Origin stops fetch, forms and WebSockets of other origins; browsers send it with all of them but plain GETs.
 * - Sec-Fetch-Site stops the rest (images, scripts, frames, EventSource without credentials); programs do not send it.
 *
 * A link to a page of ours works from anywhere: a GET that navigates a whole window.
 * @param hosts what this daemon is called, `name:port`, in lower case
 */
export function foreignReason({ method, path, headers }: GuardedRequest, hosts: ReadonlySet<string>): string | null {
  const host = headers.host?.toLowerCase();
  if (host === undefined || !hosts.has(host)) {
    return 'This daemon is not known under that host name. Use the address that it printed at its start.';
  }
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, hosts)) return 'Pages of other sites may not use this daemon.';
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return null;
  const navigates =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (navigates && !isInterfacePath(path)) return null;
  return 'Pages of other sites may not use this daemon.';
}

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  return origin.startsWith('http://') && hosts.has(origin.slice('http://'.length).toLowerCase());
}
