import type { Clock } from '../clock.ts';

/**
 * Limits how long some work may take.
 * @returns a signal that aborts with `timeoutError` after the limit, or when the other signal aborts
 */
export function deadline(
  clock: Clock,
  limitMs: number,
  timeoutError: (limitMs: number) => Error,
  other?: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const ending = new AbortController();
  const cancel = clock.after(limitMs, () => ending.abort(timeoutError(limitMs)));
  return {
    signal: other ? AbortSignal.any([ending.signal, other]) : ending.signal,
    [Symbol.dispose]: cancel,
  };
}

/** @returns the time rounded to whole seconds, `3 seconds` */
export function secondsText(ms: number): string {
  return `${Math.round(ms / 1000)} seconds`;
}
