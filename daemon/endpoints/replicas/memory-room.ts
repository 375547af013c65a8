import type { Replica } from '../runtime/endpoint-runtime.ts';

/**
 * How many more replicas the memory has room for, by the one that takes the most now.
 * @param availableBytes what they could take; null: unknown
 * @param ready replicas of the same kind
 * @returns null: unknown
 */
export async function memoryRoom(
  availableBytes: number | null,
  ready: readonly { readonly replica: Pick<Replica, 'memoryBytes' | 'countsFiles'> }[],
): Promise<number | null> {
  if (availableBytes === null) return null;
  const telling = ready.filter(({ replica }) => !replica.countsFiles);
  const known = await Promise.all(telling.map(({ replica }) => replica.memoryBytes()));
  const mostBytes = Math.max(0, ...known.filter((bytes) => bytes !== null));
  return mostBytes === 0 ? null : Math.max(0, Math.floor(availableBytes / mostBytes));
}
