import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { type Caller, isOfThisMachine } from '../../access/caller.ts';
import { isLoopback } from './own-hosts.ts';

/** A request, as far as it tells where it comes from. */
export type Sent = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The headers of proxies and tunnels: the standard's and the usual ones, and those of Cloudflare, Fastly, Fly, Tailscale and ngrok. */
const OF_PROXIES =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-original-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cdn-loop|(?:cf|fastly|fly|tailscale|ngrok)-.+)$/;

/** Whether a proxy or a tunnel says that it has passed a request on. */
export function isPassedOn(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => OF_PROXIES.test(name));
}

/**
 * Whether a request looks as if it came from this machine: its peer uses loopback, or connects from the address that it
 * connects to, and says nothing of another one behind it. A proxy that says nothing is not recognized.
 */
export function looksFromHere({ headers, socket }: Sent): boolean {
  return isPeerHere({ socket }) && !isPassedOn(headers);
}

function isPeerHere({ socket: { remoteAddress = '', localAddress } }: Pick<Sent, 'socket'>): boolean {
  return isLoopback(remoteAddress) || remoteAddress === localAddress;
}

export interface SourceRules {
  /** Whether coming from this machine gives no right. */
  readonly requireToken: boolean;
  /** The IP address of the proxy that is believed; null: none is. */
  readonly behindProxy: string | null;
}

/** Tells where requests come from, and what that counts for. */
export class RequestSources {
  readonly #requireToken: boolean;
  readonly #proxy = new BlockList();

  constructor({ requireToken, behindProxy }: SourceRules) {
    this.#requireToken = requireToken;
    if (behindProxy !== null) this.#proxy.addAddress(behindProxy, isIPv4(behindProxy) ? 'ipv4' : 'ipv6');
  }

  /** Whether a request comes from this machine, as far as it tells. What the named proxy sends never does. */
  isFromHere(request: Sent): boolean {
    return looksFromHere(request) && !this.#isFromProxy(request);
  }

  /** Whether a request may use the daemon without a token. */
  needsNoToken(request: Sent): boolean {
    return !this.#requireToken && this.isFromHere(request);
  }

  /** Whether a browser behind a request can sign in: on this machine, or through a proxy that runs here or is named. */
  maySignIn(request: Sent): boolean {
    return isPeerHere(request) || this.#isFromProxy(request);
  }

  /**
   * Whether a request for an endpoint has the rights of this machine. Runs, commands and the window have them also beside a
   * proxy at the same address, where nothing else tells them from what it passes on.
   * @param caller null: unknown, which counts as from elsewhere where every request needs a token
   */
  hasRightsOfHere(request: Sent, caller: Caller | null): boolean {
    if (caller && isOfThisMachine(caller)) return looksFromHere(request);
    return this.isFromHere(request) && (caller !== null || !this.#requireToken);
  }

  /** Where a request comes from: for the named proxy, the address that it says; empty where it says none. */
  addressOf(request: Sent): string {
    return this.#isFromProxy(request) ? forwardedAddress(request.headers) : (request.socket.remoteAddress ?? '');
  }

  #isFromProxy({ socket: { remoteAddress = '' } }: Pick<Sent, 'socket'>): boolean {
    const plain = remoteAddress.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
    return isIP(plain) !== 0 && this.#proxy.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  }
}

/**
 * The address that a proxy says that it serves: the last one in X-Forwarded-For, or in Forwarded (RFC 7239). The ones
 * before it come from the client, who may write anything there, also into the header that the proxy does not use: where
 * both headers are there and differ, neither is believed.
 * @returns an IP address; empty: none, or none that can be believed
 */
export function forwardedAddress(headers: IncomingHttpHeaders): string {
  const [usual, standard] = [headers['x-forwarded-for'], headers.forwarded];
  const found = [
    ...(usual === undefined ? [] : [addressIn(String(usual).split(',').at(-1) ?? '')]),
    ...(standard === undefined ? [] : [addressIn(lastFor(standard))]),
  ];
  return new Set(found).size === 1 ? (found[0] as string) : '';
}

/** `198.51.100.7`, also with a port, `[2001:db8::1]:80`; empty for anything else, such as `unknown`. */
function addressIn(text: string): string {
  const node = text.trim();
  if (isIP(node) !== 0) return node;
  const { address = '' } = /^(?:\[(?<address>[^\]]+)\]|(?<address>[\d.]+))(?::\d+)?$/.exec(node)?.groups ?? {};
  return isIP(address) === 0 ? '' : address;
}

/** The parameter `for` of the last element of Forwarded; empty if the header is malformed, as by a quote that a client left open. */
function lastFor(header: string): string {
  const parameter =
    /\s*(?<name>[!#$%&'*+.^_`|~\w-]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s",;]*))\s*(?<after>;|,|$)/y;
  let last = '';
  while (parameter.lastIndex < header.length) {
    const { name, quoted, plain = '', after } = parameter.exec(header)?.groups ?? {};
    if (name === undefined) return '';
    if (name.toLowerCase() === 'for') last = quoted ?? plain;
    if (after === ',') last = '';
  }
  return last;
}
