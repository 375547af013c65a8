import type { DaemonEvent } from '../../../daemon/contract/events.ts';

/** Changes the slice's own part of the store. */
export type SetState<Slice> = (change: Partial<Slice> | ((slice: Slice) => Partial<Slice>)) => void;
export type GetState<Slice> = () => Slice;

/** Reducers by event type. Applying an event twice must be harmless. */
export type Reducers<Slice> = {
  readonly [T in DaemonEvent['type']]?: (before: Slice, event: Extract<DaemonEvent, { type: T }>) => Partial<Slice>;
};
