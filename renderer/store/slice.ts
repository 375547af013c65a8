/** How a slice writes: its own part of the store, nothing else. */
export type SetState<Slice> = (change: Partial<Slice> | ((slice: Slice) => Partial<Slice>)) => void;
export type GetState<Slice> = () => Slice;

/** A record without one key. */
export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = record;
  return rest;
}
