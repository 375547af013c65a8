/** Only exits within this time count: a replica that ran for longer starts afresh. */
const WINDOW_MS = 5 * 60_000;
/** The wait before each restart. The first is at once: requests may wait for it. */
const DELAYS_MS = [0, 1_000, 5_000];

/**
 * Decides about a replica that ended by itself.
 * @param exitsMs the times of its exits so far, the newest last
 * @returns the milliseconds to wait before it is started again; null: after 3 restarts in 5 minutes, no more
 */
export function restartDelayMs(exitsMs: readonly number[], nowMs: number): number | null {
  const recent = exitsMs.filter((exitMs) => nowMs - exitMs < WINDOW_MS).length;
  return DELAYS_MS[recent - 1] ?? (recent === 0 ? 0 : null);
}

/** The most restarts within five minutes. */
export const MAX_RESTARTS = DELAYS_MS.length;
