import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';

/** Finds the app installed from that Space. Two Spaces may have apps of one name, so names are not compared. */
export function installedFrom(spaceId: string, apps: readonly InstalledApp[]): InstalledApp | undefined {
  return apps.find(({ source }) => source.kind === 'space' && source.id.toLowerCase() === spaceId.toLowerCase());
}
