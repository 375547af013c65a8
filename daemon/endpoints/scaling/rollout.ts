/** A set of replicas that replaces another one. */
export interface RolloutSituation {
  /** The replicas that the endpoint is to have. */
  readonly target: number;
  /** The replicas of the earlier version: those in service or about to be, and those that are about to end. */
  readonly old: { readonly size: number; readonly leaving: number };
  /** The replicas of the new version, and how many of them are ready. */
  readonly next: { readonly size: number; readonly ready: number };
}

/** The sizes of both sets from now on. `isDone`: the new version serves alone. */
export interface RolloutStep {
  readonly old: number;
  readonly next: number;
  readonly isDone: boolean;
}

/**
 * The next step of an update. A replica of the earlier version goes once one of the new version is ready in its place, and
 * the one after that starts once it is gone: there is at most one replica more than the endpoint is to have.
 */
export function nextRolloutStep({ target, old, next }: RolloutSituation): RolloutStep {
  if (next.ready >= target) return { old: 0, next: target, isDone: true };
  const oldSize = Math.min(old.size, target - next.ready); // it never grows again, also when a new replica ends
  const isRoom = oldSize === old.size && old.leaving === 0;
  return { old: oldSize, next: Math.max(next.size, isRoom ? Math.min(target, next.ready + 1) : 0, 1), isDone: false };
}
