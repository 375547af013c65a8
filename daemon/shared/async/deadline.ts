/**
 * Bounds how long some work may take.
 * @returns a signal that aborts after the limit with `late`'s error, or when the other signal aborts
 */
export function deadline(
  limitMs: number,
  late: (limitMs: number) => Error,
  other?: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(late(limitMs)), limitMs);
  return {
    signal: other ? AbortSignal.any([ending.signal, other]) : ending.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** @param ms whole seconds are told */
export function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} seconds`;
}
