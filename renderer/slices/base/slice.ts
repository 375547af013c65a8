import type { DaemonEvent } from '../../../daemon/contract/events.ts';

/** How a slice writes: its own part of the store, nothing else. */
export type SetState<Slice> = (change: Partial<Slice> | ((slice: Slice) => Partial<Slice>)) => void;
export type GetState<Slice> = () => Slice;

/** The change that an event makes to a slice, by the type of the event. Applying an event twice is harmless. */
export type Reducers<Slice> = {
  readonly [T in DaemonEvent['type']]?: (before: Slice, event: Extract<DaemonEvent, { type: T }>) => Partial<Slice>;
};

/** A record without one key. */
export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = record;
  return rest;
}
