import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { Caller } from './caller.ts';
import { findBySecret, hashOf, newSecret } from './secret.ts';

interface RunToken extends Pick<TokenRun, 'pagePort'> {
  readonly hash: string;
  readonly caller: Caller;
}

interface TokenRun {
  /** Ends its token. */
  readonly ended: AbortSignal;
  /** Whether its requests may wake an endpoint that costs money. */
  readonly mayWakePaid: boolean;
  /** The port of its own page on this machine, now; null: none. */
  readonly pagePort: () => number | null;
}

/** The names by which a browser on this machine shows the page of an app. */
const HOSTS = ['localhost', '127.0.0.1'];

const scopeOf = (endpoint: EndpointRef): string => `endpoint:${endpointId(endpoint)}`;

/**
 * The tokens of runs: each allows requests to one endpoint, from this machine, while its run lasts. They are kept in
 * memory only, as hashes: none outlives the daemon.
 */
export class RunTokens {
  readonly #tokens = new Set<RunToken>();

  /** @returns a token for one endpoint, valid until the run has ended */
  issue(appName: string, endpoint: EndpointRef, { ended, mayWakePaid, pagePort }: TokenRun): string {
    const text = newSecret('rd_run_');
    if (ended.aborted) return text;
    const scope = scopeOf(endpoint);
    const id = `run-of-${appName}`;
    const caller: Caller = { kind: 'run', id, name: appName, scopes: [scope], namespaces: [], mayWakePaid, ended };
    const token = { hash: hashOf(text), caller, pagePort };
    this.#tokens.add(token);
    ended.addEventListener('abort', () => this.#tokens.delete(token), { once: true });
    return text;
  }

  /** @returns null for an unknown token, or one whose run has ended */
  verify(text: string): Caller | null {
    return findBySecret([...this.#tokens], text)?.caller ?? null;
  }

  /** The origins, on this machine, of the own pages of those runs that have a token for an endpoint. */
  pages(endpoint: EndpointRef): string[] {
    const scope = scopeOf(endpoint);
    const ports = [...this.#tokens]
      .filter(({ caller }) => caller.scopes.includes(scope))
      .map((each) => each.pagePort());
    return ports.flatMap((port) =>
      port === null ? [] : HOSTS.map((host) => new URL(`http://${host}:${port}`).origin),
    );
  }

  get size(): number {
    return this.#tokens.size;
  }
}
