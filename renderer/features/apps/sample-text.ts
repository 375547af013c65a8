import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';

/** Where a sample comes from, and what its install needs. */
export function sampleOrigin({ needsNetwork }: SampleApp): string {
  return `Comes with Robot Desktop, ${needsNetwork ? 'needs the network to install' : 'installs without a network'}`;
}
