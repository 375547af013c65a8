import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { asDaemonError } from '../../api/daemon-error.ts';

/** Something that is fetched on demand. What was fetched before stays to be shown until there is something newer. */
export type Loaded<T> =
  | { readonly state: 'loading'; readonly value: T | null }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly value: T | null; readonly error: DaemonError };

/** Is given what the place becomes, from what it was. */
type Write<T> = (next: (before: Loaded<T> | null | undefined) => Loaded<T>) => void;

/** Fetches into one place of the store. */
export async function load<T>(fetch: () => Promise<T>, write: Write<T>): Promise<void> {
  write((before) => ({ state: 'loading', value: before?.value ?? null }));
  try {
    const value = await fetch();
    write(() => ({ state: 'loaded', value }));
  } catch (error) {
    write((before) => ({ state: 'failed', value: before?.value ?? null, error: asDaemonError(error) }));
  }
}

/** A `load` for a place that shows one thing at a time: each call aborts the fetch before it and drops its answer. */
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
