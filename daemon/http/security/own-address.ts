import { ownHosts, ownUrl } from './own-hosts.ts';

/** The daemon's own address; unknown until it listens. */
export class OwnAddress {
  #url = '';
  #port = 0;
  #hosts: ReadonlySet<string> = new Set();

  /** The daemon's address on this machine, without a trailing slash; empty until it listens. */
  get url(): string {
    return this.#url;
  }

  /** 0 until it listens. */
  get port(): number {
    return this.#port;
  }

  /** The names by which clients may call it, `name:port`, in lower case. */
  get hosts(): ReadonlySet<string> {
    return this.#hosts;
  }

  /** @param bound the host that the server listens on */
  listensAt(bound: string, port: number): void {
    this.#url = ownUrl(bound, port);
    this.#port = port;
    this.#hosts = ownHosts(bound, port);
  }
}
