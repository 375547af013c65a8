import { hash } from 'node:crypto';

/**
 * Chooses the same candidate for the same key as long as it is there. A new candidate takes over its share of the keys
 * only, and the keys of one that is gone are spread over the others (rendezvous hashing: the highest weight wins).
 */
export function rendezvous<T extends { readonly id: string }>(key: string, candidates: readonly [T, ...T[]]): T {
  const [first, ...others] = candidates;
  let best = { candidate: first, weight: weightOf(key, first.id) };
  for (const candidate of others) {
    const weight = weightOf(key, candidate.id);
    if (weight > best.weight) best = { candidate, weight };
  }
  return best.candidate;
}

/** The ids of replicas have no space, so no two pairs make the same text. */
const weightOf = (key: string, id: string) => hash('sha1', `${id} ${key}`);
