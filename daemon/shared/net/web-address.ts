import { domainToUnicode } from 'node:url';
import { displayText, visibleText } from '../display-text.ts';

/** The origins that plain `http:` may reach, besides this machine. */
export interface AllowedAddresses {
  /** The origin of the hub that this daemon uses, `https://hub.example`. */
  readonly hubOrigin: string;
}

const MAX_LENGTH = 4096;
/** Hosts that mean this machine whatever a name server says. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** A name as in DNS or an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:(?=.{1,253}$)[\w-]{1,63}(?:\.[\w-]{1,63})*|\[[\da-f:.]+\])$/;
const SHOWN_HOST_LENGTH = 80;

/**
 * Checks an address from an untrusted source: `https:` is allowed anywhere, `http:` to this machine and to the hub only.
 * An address that programs could parse in different ways is refused.
 * @returns why the address is refused, in a sentence for a person; null: allowed
 */
export function addressProblem(address: string, { hubOrigin }: AllowedAddresses): string | null {
  if (address.length > MAX_LENGTH) return 'The address is too long.';
  if (address.includes(' ')) return 'The address contains a space.';
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(address)) return 'The address contains an invalid character.';
  if (/^https?:\/\/[^/?#]*@/i.test(address)) return 'The address contains a user name or a password. Remove them.';
  const [, host, port] = /^https?:\/\/((?:\[[^\]/?#]*\]|[^:/?#[\]])+)(?::([^/?#]*))?(?:[/?#]|$)/i.exec(address) ?? [];
  if (port !== undefined && !isPort(port)) return 'The port after the ":" is not a number from 1 to 65535.';
  const url = URL.parse(address);
  if (!url || host === undefined) return 'This is not an address that begins with https:// and a host.';
  const shownHost = displayText(host, SHOWN_HOST_LENGTH);
  if (!isPlainHost(host, url.hostname)) return `The host "${shownHost}" is not written in its standard form.`;
  if (!HOST.test(url.hostname)) return `The host "${shownHost}" has a name that no server can have.`;
  if (url.protocol === 'http:' && url.origin !== hubOrigin && !LOOPBACK.test(url.hostname)) {
    return 'The address is not encrypted. Use https.';
  }
  return null;
}

/**
 * Checks a link or redirect from one address to another. A remote server must not make the daemon call the services of
 * this machine.
 * @returns why it is refused, in a sentence for a person; null: allowed
 */
export function onwardProblem(from: string, to: string, allowed: AllowedAddresses): string | null {
  const problem = addressProblem(to, allowed);
  if (problem !== null) return problem;
  const [source, target] = [new URL(from), new URL(to)];
  // A hub on this machine may keep its large files behind another port.
  const isHubsOwn = source.origin === allowed.hubOrigin && target.hostname === source.hostname;
  if (target.origin === source.origin || isHubsOwn) return null;
  if (isThisMachine(target.hostname)) return 'It leads to this machine, which other servers may not link to.';
  if (target.protocol === 'http:' && source.protocol === 'https:') {
    return 'It leads from an encrypted address to one that is not.';
  }
  return null;
}

/** Whether a host, as `URL` writes it, is or may be this machine. */
export function isThisMachine(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127(?:\.\d+){3}$/.test(host) ||
    host === '0.0.0.0' ||
    host === '[::]' ||
    host === '[::1]' ||
    // 127.0.0.0/8 and 0.0.0.0 within IPv6.
    /^\[::(?:ffff:)?(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\]$/.test(host)
  );
}

/**
 * An address as people write it, for messages only: its host and its path without their encodings. The encoding of a slash
 * and an invalid one stay as they are; a character that nobody sees becomes an escape.
 */
export function writtenAddress(address: string): string {
  const { protocol, host, hostname, pathname } = new URL(address);
  const port = host.slice(hostname.length);
  return visibleText(`${protocol}//${domainToUnicode(hostname) || hostname}${port}${decodedPath(pathname)}`);
}

function decodedPath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

/** Whether a host is in its standard form; a name in another script stands for one that begins with xn--. */
function isPlainHost(written: string, parsed: string): boolean {
  if (/^[\x21-\x7e]*$/.test(written)) return written.toLowerCase() === parsed && !parsed.endsWith('.');
  return /(?:^|\.)xn--/.test(parsed);
}
