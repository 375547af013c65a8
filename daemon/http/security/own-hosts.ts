import { hostname, networkInterfaces } from 'node:os';

/** Whether an address is loopback, which no other machine can reach. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '').replace(/^\[|\]$/g, '');
  return plain === '::1' || plain === 'localhost' || /^127(?:\.\d{1,3}){3}$/.test(plain);
}

/** The address, for this machine, of a daemon that listens on `bound`. */
export function ownUrl(bound: string, port: number): string {
  const host = bound === '0.0.0.0' || bound === '::' ? '127.0.0.1' : bound;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The host names that clients may use for a daemon, `name:port`, in lower case. */
function ownHosts(bound: string, port: number): Set<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  if (!isLoopback(bound)) {
    const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    names.push(...addresses.map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address)));
    names.push(hostname().toLowerCase(), `${hostname().toLowerCase()}.local`);
  }
  names.push(bound.includes(':') ? `[${bound}]` : bound.toLowerCase());
  // Browsers omit the default port.
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

/** The daemon's own address; unknown until it listens. */
export class OwnAddress {
  /** On this machine, without a trailing slash. */
  url = '';
  port = 0;
  /** The names by which clients may call it, `name:port`, in lower case. */
  hosts: ReadonlySet<string> = new Set();

  /** @param bound the host that the server listens on */
  listensAt(bound: string, port: number): void {
    this.url = ownUrl(bound, port);
    this.port = port;
    this.hosts = ownHosts(bound, port);
  }
}
