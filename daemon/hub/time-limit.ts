import { HubTrouble } from './errors.ts';

/** A signal that ends what takes too long, as the hub's trouble, or ends with another one. */
export function timeLimit(limitMs: number, other?: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const late = new AbortController();
  const message = `The hub takes too long: more than ${Math.round(limitMs / 1000)} seconds.`;
  const timer = setTimeout(() => late.abort(new HubTrouble('stalled', message)), limitMs);
  return {
    signal: other ? AbortSignal.any([late.signal, other]) : late.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
