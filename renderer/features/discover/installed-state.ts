import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';

/** The installed app that came from that Space of the hub. Names of apps tell nothing: two Spaces may share one. */
export function installedFrom(spaceId: string, apps: readonly InstalledApp[]): InstalledApp | undefined {
  return apps.find(({ source }) => source.kind === 'space' && source.id.toLowerCase() === spaceId.toLowerCase());
}
