/**
 * Makes work that is done once, at the first call, and shared by all callers.
 * After a failure the next call does it again.
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
