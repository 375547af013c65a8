import { hash } from 'node:crypto';

/** The most sessions that are remembered, the ones used last. */
export const MAX_SESSIONS = 10_000;

/** Remembers which replica opened an MCP session. Keeps a hash of fixed size: ids may be long, and they are secrets. */
export class SessionReplicas {
  /** The ids of replicas by sessions, in the order of their last use. */
  readonly #replicas = new Map<string, string>();

  /** The id of the replica that opened a session; null: unknown. */
  of(mcpSession: string): string | null {
    const key = keyOf(mcpSession);
    const replicaId = this.#replicas.get(key);
    if (replicaId === undefined) return null;
    this.#set(key, replicaId);
    return replicaId;
  }

  opened(mcpSession: string, replicaId: string): void {
    this.#set(keyOf(mcpSession), replicaId);
  }

  #set(key: string, replicaId: string): void {
    this.#replicas.delete(key);
    this.#replicas.set(key, replicaId);
    if (this.#replicas.size <= MAX_SESSIONS) return;
    const [oldest] = this.#replicas.keys();
    if (oldest !== undefined) this.#replicas.delete(oldest);
  }
}

const keyOf = (mcpSession: string) => hash('sha1', mcpSession);
