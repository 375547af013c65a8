import { isDeepStrictEqual } from 'node:util';

/**
 * Runs work once, at the first call, and shares its result with all callers. After a failure the next call runs it again.
 */
export function lazy<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= work().catch((error: unknown) => {
      result = null;
      throw error;
    });
    return result;
  };
}

/** Runs work at each call. @returns the earlier result while the new one equals it, so that callers can compare by identity */
export function sameWhileEqual<T>(work: () => Promise<T>): () => Promise<T> {
  let known: { readonly result: T } | null = null;
  return async () => {
    const result = await work();
    if (!known || !isDeepStrictEqual(known.result, result)) known = { result };
    return known.result;
  };
}
