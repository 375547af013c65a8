import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

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
