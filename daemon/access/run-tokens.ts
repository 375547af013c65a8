import type { Caller } from './caller.ts';
import { findBySecret, hashOf, newSecret } from './secret.ts';

interface RunToken {
  readonly hash: string;
  readonly caller: Caller;
}

/** The run that a token is for. */
export interface TokenRun {
  /** Ends its token. */
  readonly ended: AbortSignal;
  /** Whether its requests may wake an endpoint that costs money. */
  readonly mayWakePaid: boolean;
}

/** An endpoint by its name. */
interface Name {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The tokens of runs: each allows requests to one endpoint, from this machine, while its run lasts. They are kept in
 * memory only, as hashes: none outlives the daemon.
 */
export class RunTokens {
  readonly #tokens = new Set<RunToken>();

  /** @returns a token for one endpoint, valid until the run has ended */
  issue(appName: string, { namespace, name }: Name, { ended, mayWakePaid }: TokenRun): string {
    const text = newSecret('rd_run_');
    if (ended.aborted) return text;
    const scope = `endpoint:${namespace}/${name}`;
    const id = `run-of-${appName}`;
    const caller: Caller = { kind: 'run', id, name: appName, scopes: [scope], namespaces: [], mayWakePaid, ended };
    const token = { hash: hashOf(text), caller };
    this.#tokens.add(token);
    ended.addEventListener('abort', () => this.#tokens.delete(token), { once: true });
    return text;
  }

  /** @returns null for an unknown token, or one whose run has ended */
  verify(text: string): Caller | null {
    return findBySecret([...this.#tokens], text)?.caller ?? null;
  }

  /** The number of valid tokens. */
  get size(): number {
    return this.#tokens.size;
  }
}
