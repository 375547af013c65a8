/** Where plain `http:` may go besides this machine. */
export interface AllowedAddresses {
  /** The origin of the hub that this daemon uses, `https://hub.example`. */
  readonly hubOrigin: string;
}

const MAX_LENGTH = 4096;
/** What is this machine for every program, whatever a name server says. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Whether the daemon may go to an address that somebody else has named: `https:` anywhere, `http:` to this machine or to
 * the hub. Programs read odd spellings differently, so an address that can be read in two ways is none.
 * @returns why it may not, in a sentence for a person; null: it may
 */
export function addressProblem(address: string, { hubOrigin }: AllowedAddresses): string | null {
  if (address.length > MAX_LENGTH) return 'The address is too long.';
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(address)) return 'The address holds a character that no address has.';
  const [, host] = /^https?:\/\/((?:\[[^\]/?#]*\]|[^:/?#[\]])+)(?::\d+)?(?:[/?#]|$)/i.exec(address) ?? [];
  if (/^https?:\/\/[^/?#]*@/i.test(address)) return 'The address holds a name or a password. Leave them out.';
  const url = URL.parse(address);
  if (!url || host === undefined) return 'This is not an address that begins with https:// and a host.';
  if (!isPlainHost(host, url.hostname)) return `The host "${host}" is spelt oddly.`;
  if (url.protocol === 'http:' && url.origin !== hubOrigin && !LOOPBACK.test(url.hostname)) {
    return 'The address is not encrypted. Use https.';
  }
  return null;
}

/**
 * Whether what came from one address may lead to another. What others serve must not make the daemon talk to the
 * services of this machine.
 * @returns why it may not, in a sentence for a person; null: it may
 */
export function onwardProblem(from: string, to: string, allowed: AllowedAddresses): string | null {
  const problem = addressProblem(to, allowed);
  if (problem !== null) return problem;
  const [source, target] = [new URL(from), new URL(to)];
  // A hub on this machine may keep its large files behind another port.
  const isHubsOwn = source.origin === allowed.hubOrigin && target.hostname === source.hostname;
  if (target.origin === source.origin || isHubsOwn) return null;
  if (isThisMachine(target.hostname)) return 'It leads to this machine, where others may not lead.';
  if (target.protocol === 'http:' && source.protocol === 'https:') {
    return 'It leads from an encrypted address to one that is not.';
  }
  return null;
}

/** Whether a host, as `URL` writes it, is or could be the machine that we run on. */
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

/** Written as it is meant; a name in another script stands for one that begins with xn--. */
function isPlainHost(written: string, meant: string): boolean {
  if (/^[\x21-\x7e]*$/.test(written)) return written.toLowerCase() === meant && !meant.endsWith('.');
  return /(?:^|\.)xn--/.test(meant);
}
