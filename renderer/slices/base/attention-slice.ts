import type { SetState } from './slice.ts';

/** The keys of messages that somebody in this browser is done with. The daemon keeps what they are about. */
export interface AttentionSlice {
  /** Those that are not shown any more: failed jobs by id, others by a key of their own. */
  readonly dismissed: readonly string[];
  /** Those that have been on an opened list, which count no more. */
  readonly read: readonly string[];
  readonly dismiss: (...keys: readonly string[]) => void;
  readonly markRead: (keys: readonly string[]) => void;
}

export function createAttentionSlice(set: SetState<AttentionSlice>): AttentionSlice {
  return {
    dismissed: load('dismissed'),
    read: load('read'),
    dismiss: (...keys) => set(({ dismissed }) => ({ dismissed: withKeys('dismissed', dismissed, keys) })),
    markRead: (keys) => set(({ read }) => ({ read: withKeys('read', read, keys) })),
  };
}

type Kept = 'dismissed' | 'read';

/** More than hundreds of apps with an update each, and all failures that the daemon keeps. */
const MAX_KEPT = 2_000;
const storedAs = (kept: Kept) => `robot-desktop.${kept}`;

function load(kept: Kept): readonly string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(storedAs(kept)) ?? '[]');
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return []; // no storage, or damaged: nothing counts as dismissed or read
  }
}

/**
 * Adds the keys to those that are kept, in the browser's storage too, where another page of this browser may have added some.
 * @returns all, the newest last
 */
export function withKeys(kept: Kept, before: readonly string[], keys: readonly string[]): readonly string[] {
  const known = new Set(before);
  if (keys.every((key) => known.has(key))) return before;
  const newest = [...new Set([...load(kept), ...before, ...keys])].slice(-MAX_KEPT);
  try {
    localStorage.setItem(storedAs(kept), JSON.stringify(newest));
  } catch {
    // Without storage, they are kept until the page reloads.
  }
  return newest;
}
