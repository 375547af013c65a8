import type { StorageProblem } from '../shared/data-folder/storage-watch.ts';

/** Says that the daemon can save nothing, for a terminal. */
export function storageText({ reason, action }: StorageProblem): string {
  return `Nothing can be saved, and no app can start: ${reason} ${action}`;
}
