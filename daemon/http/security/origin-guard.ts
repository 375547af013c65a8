import type { IncomingHttpHeaders } from 'node:http';
import { isInterfacePath } from '../requests/operation-paths.ts';
import { isPassedOn } from './request-sources.ts';

interface GuardedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Refuses requests from web pages of other sites:
 * - Host stops DNS rebinding: a page whose name was pointed at this machine still sends its own name.
 * - Origin stops fetch, forms and WebSockets of other origins; browsers send it with all of them but plain GETs.
 * - Sec-Fetch-Site stops images, scripts, frames and EventSource without credentials; programs do not send it.
 *
 * Endpoints may list other origins, see `gateway/listed-pages.ts`.
 *
 * A link from another site to a page of ours works: a GET that navigates a whole window.
 * @param hosts the names of this daemon, `name:port`, in lower case
 * @returns why the request is refused, in a sentence; null: allowed
 */
export function foreignReason({ method, path, headers }: GuardedRequest, hosts: ReadonlySet<string>): string | null {
  const host = headers.host?.toLowerCase();
  if (host === undefined || !hosts.has(host)) {
    return `This daemon does not serve that host name. Use the address that it printed at its start.${proxyHint(headers)}`;
  }
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, hosts)) return `${FOREIGN_PAGE}${proxyHint(headers)}`;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return null;
  const navigates =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (navigates && !isInterfacePath(path)) return null;
  return FOREIGN_PAGE;
}

const FOREIGN_PAGE = 'Pages of other sites may not use this daemon.';

/** Behind a proxy the dashboard has an origin that only the proxy knows. */
function proxyHint(headers: IncomingHttpHeaders): string {
  if (!isPassedOn(headers)) return '';
  return ' A proxy in front must replace Host, and the Origin of its own pages, by the address of the daemon: SECURITY.md shows how.';
}

/** The origin of a page of another site that calls this daemon by one of its names; null: the request tells of none. */
export function otherOrigin({ headers }: Pick<GuardedRequest, 'headers'>, hosts: ReadonlySet<string>): string | null {
  const { host = '', origin } = headers;
  return !hosts.has(host.toLowerCase()) || origin === undefined || isOwnOrigin(origin, hosts) ? null : origin;
}

function isOwnOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  return origin.startsWith('http://') && hosts.has(origin.slice('http://'.length).toLowerCase());
}
