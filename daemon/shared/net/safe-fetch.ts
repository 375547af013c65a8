import { DomainError } from '../domain-error.ts';
import { type AllowedAddresses, addressProblem, onwardProblem } from './web-address.ts';

export class AddressRefused extends DomainError {}

export interface SafeRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly headers?: Headers | Readonly<Record<string, string>>;
  /** The body; a request with it is not redirected. */
  readonly body?: string | Blob;
  readonly signal?: AbortSignal;
}

/**
 * Requests an address and follows its redirects.
 * @returns the last response, whatever its status; its `url` is the last address
 * @throws AddressRefused, the reason of the signal, or what `fetch` throws when the network fails
 */
export type SafeFetch = (url: string, request?: SafeRequest) => Promise<Response>;

const MAX_REDIRECTS = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A `fetch` that allows only safe addresses, at each redirect too, and sends secrets to the first origin only. */
export function safeFetch(allowed: AllowedAddresses): SafeFetch {
  return async (address, { method = 'GET', headers: given, body, signal } = {}) => {
    refuse(address, addressProblem(address, allowed));
    const headers = new Headers(given);
    let url = address;
    for (let followed = 0; ; followed += 1) {
      const response = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      const location = redirects.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      if (body !== undefined) throw new AddressRefused(`${hostOf(address)} redirects what is sent to it.`);
      const next = URL.parse(location, url);
      if (followed === MAX_REDIRECTS || !next) {
        throw new AddressRefused(
          `${hostOf(address)} redirects ${next ? `more than ${MAX_REDIRECTS} times` : 'to an invalid address'}.`,
        );
      }
      next.hash = '';
      refuse(next.href, onwardProblem(url, next.href, allowed));
      if (next.origin !== new URL(url).origin) {
        for (const secret of ['authorization', 'cookie', 'proxy-authorization']) headers.delete(secret);
      }
      url = next.href;
    }
  };
}

function refuse(address: string, problem: string | null): void {
  if (problem !== null) throw new AddressRefused(`${hostOf(address)}: ${problem}`);
}

/** The rest of an address may be secret. */
function hostOf(address: string): string {
  return URL.parse(address)?.host.slice(0, 200) || 'An address without a host';
}
