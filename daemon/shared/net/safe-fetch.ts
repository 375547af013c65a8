import { DomainError } from '../domain-error.ts';
import { type AllowedAddresses, addressProblem, onwardProblem } from './web-address.ts';

/** An address, or one that it leads to, is none that the daemon goes to. */
export class AddressRefused extends DomainError {}

export interface SafeRequest {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Headers | Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Asks for what is at an address.
 * @returns the answer of the last address, whatever its status; its `url` says which that was
 * @throws AddressRefused, the reason of the signal, or what `fetch` throws when the network fails
 */
export type SafeFetch = (url: string, request?: SafeRequest) => Promise<Response>;

const MAX_REDIRECTS = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A `fetch` that goes only where an address may point, at each redirect too, and tells a secret to the first origin only. */
export function safeFetch(allowed: AllowedAddresses): SafeFetch {
  return async (address, { method = 'GET', headers: given, signal } = {}) => {
    refuse(address, addressProblem(address, allowed));
    const headers = new Headers(given);
    let url = address;
    for (let followed = 0; ; followed += 1) {
      const response = await fetch(url, { method, headers, redirect: 'manual', ...(signal && { signal }) });
      const location = redirects.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.parse(location, url);
      if (followed === MAX_REDIRECTS || !next) {
        throw new AddressRefused(`${hostOf(address)} leads ${next ? 'on and on' : 'to what is no address'}.`);
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

/** Nothing else of an address is told: the rest may be secret. */
function hostOf(address: string): string {
  return URL.parse(address)?.host.slice(0, 200) || 'An address without a host';
}
