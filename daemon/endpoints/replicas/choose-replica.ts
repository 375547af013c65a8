import { hash } from 'node:crypto';
import type { Balancing } from '../../contract/endpoints/balancing.ts';

/** A replica that may get a request. */
export interface Candidate {
  readonly id: string;
  /** Its requests under way. */
  readonly requests: number;
}

/** Facts about a request. */
export interface Choice {
  readonly rule: Balancing;
  /** The same text for the same sender; null: unknown. */
  readonly caller: string | null;
  /** The id of its MCP session; null: none. */
  readonly mcpSession: string | null;
  /** The id of the replica that opened its MCP session; null: unknown. */
  readonly sessionReplica: string | null;
  /** Ids of replicas that were lost to this request: another is preferred. */
  readonly avoid: ReadonlySet<string>;
}

/**
 * Chooses the replica of a request.
 * A session whose replica is unknown or gone has one replica too, always the same: only the replica can know whether the
 * session exists, and answers 404 if it does not.
 * @param random a number from 0 to 1, without 1
 * @returns null: none is ready
 */
export function chooseReplica<T extends Candidate>(
  { rule, caller, mcpSession, sessionReplica, avoid }: Choice,
  ready: readonly T[],
  random: () => number,
): T | null {
  const others = ready.filter(({ id }) => !avoid.has(id));
  const candidates = others.length > 0 ? others : ready;
  if (rule === 'sticky' && caller !== null) return rendezvous(caller, candidates);
  if (rule === 'mcp' && mcpSession !== null) {
    return candidates.find(({ id }) => id === sessionReplica) ?? rendezvous(mcpSession, candidates);
  }
  const open = rule === 'least_connections' ? fewestRequests(candidates) : candidates;
  return open[Math.floor(random() * open.length)] ?? null;
}

/** All that have the fewest: the first of them must not get every request of a quiet endpoint. */
function fewestRequests<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  const fewest = Math.min(...candidates.map(({ requests }) => requests));
  return candidates.filter(({ requests }) => requests === fewest);
}

/**
 * Chooses the same candidate for the same key as long as it is there. A new candidate takes over its share of the keys
 * only, and the keys of one that is gone are spread over the others (rendezvous hashing: the highest weight wins).
 */
function rendezvous<T extends { readonly id: string }>(key: string, candidates: readonly T[]): T | null {
  const weighted = candidates.map((candidate) => ({ candidate, weight: weightOf(key, candidate.id) }));
  return weighted.toSorted((a, b) => (a.weight > b.weight ? -1 : 1))[0]?.candidate ?? null;
}

/** The ids of replicas have no space, so no two pairs make the same text. */
const weightOf = (key: string, id: string) => hash('sha1', `${id} ${key}`);
