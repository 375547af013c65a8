import { ownHosts, ownUrl } from './own-hosts.ts';

/** Where this daemon can be reached; nothing is known of it until it listens. */
export class OwnAddress {
  #url = '';
  #port = 0;
  #hosts: ReadonlySet<string> = new Set();

  /** The address at which this machine reaches the daemon, without a slash at its end; empty until it listens. */
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

  /** @param bound the host that the server listens at */
  listensAt(bound: string, port: number): void {
    this.#url = ownUrl(bound, port);
    this.#port = port;
    this.#hosts = ownHosts(bound, port);
  }
}
