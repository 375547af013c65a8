import type { DaemonError } from '../../daemon/client/daemon-error.ts';
import { asDaemonError } from '../api/daemon-error.ts';

/** Something that is fetched on demand. What was fetched before stays to be shown until there is something newer. */
export type Loaded<T> =
  | { readonly state: 'loading'; readonly value: T | null }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly value: T | null; readonly error: DaemonError };

/** Fetches into one place of the store. `write` is given what the place becomes, from what it was. */
export async function load<T>(
  fetch: () => Promise<T>,
  write: (next: (before: Loaded<T> | null | undefined) => Loaded<T>) => void,
): Promise<void> {
  write((before) => ({ state: 'loading', value: before?.value ?? null }));
  try {
    const value = await fetch();
    write(() => ({ state: 'loaded', value }));
  } catch (error) {
    write((before) => ({ state: 'failed', value: before?.value ?? null, error: asDaemonError(error) }));
  }
}
