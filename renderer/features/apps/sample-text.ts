import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';

/** Says where a sample comes from and whether its install needs a network. */
export function sampleOrigin({ needsNetwork }: SampleApp): string {
  return `Comes with Robot Desktop, ${needsNetwork ? 'needs the network to install' : 'installs without a network'}`;
}
