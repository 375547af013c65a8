import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { asDaemonError } from '../../api/daemon-error.ts';

/** A value loaded on demand. The previous value stays until a newer one is loaded. */
export type Loaded<T> =
  | { readonly state: 'loading'; readonly value: T | null }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly value: T | null; readonly error: DaemonError };

/** Writes the next state, computed from the previous one. */
type Write<T> = (next: (before: Loaded<T> | null | undefined) => Loaded<T>) => void;

/** Loads a value into the store. Never rejects: a failure becomes the `failed` state. */
export async function load<T>(fetch: () => Promise<T>, write: Write<T>): Promise<void> {
  write((before) => ({ state: 'loading', value: before?.value ?? null }));
  try {
    const value = await fetch();
    write(() => ({ state: 'loaded', value }));
  } catch (error) {
    write((before) => ({ state: 'failed', value: before?.value ?? null, error: asDaemonError(error) }));
  }
}

/** Creates a `load` where each call aborts the one before it and drops its result. */
export function createLatestLoad(): <T>(fetch: (signal: AbortSignal) => Promise<T>, write: Write<T>) => Promise<void> {
  let latest = new AbortController();
  return (fetch, write) => {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    return load(
      () => fetch(signal),
      (next) => {
        if (!signal.aborted) write(next);
      },
    );
  };
}
