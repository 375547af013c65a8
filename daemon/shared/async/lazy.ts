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
