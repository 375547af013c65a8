import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';
import type { StoreStatus } from '../../../daemon/contract/apps/store.ts';

export const noneInstalledText = 'Most samples install without a network.';
export const noMatchText = 'Each search word must appear in the name, title or description.';
export const noSamplesText = 'This copy of Robot Desktop came without sample apps.';

/** Says where a sample comes from and whether its install needs a network. */
export function sampleOrigin({ needsNetwork }: SampleApp): string {
  return `Comes with Robot Desktop, ${needsNetwork ? 'needs the network to install' : 'installs without a network'}`;
}

export const noStoreMatchText = 'Each search word must appear in the name, title, description or author.';
export const notLoadedText = 'The apps of the hub are not loaded yet';
/** Under the title of an empty store: why it is empty. */
export function emptyStoreText({
  problem,
  fetchedAt,
  hub,
}: Pick<StoreStatus, 'problem' | 'fetchedAt' | 'hub'>): string {
  if (problem !== null) return `${problem} ${noneInstalledText}`;
  return fetchedAt === null ? 'They are loaded once there is a network; most samples need none.' : `${hub} lists none.`;
}
/** Under the reason why the copy of the store could not be updated. */
export const lastCopyText = 'You can browse the last copy; to install, the hub must be reachable.';
/** Before the link to the settings. */
export const privateAppsText = 'Private apps are shown once you sign in to the hub, in';

export const notInstallableText = 'It cannot be installed on this machine.';
export const downloadPythonText = (version: string): string =>
  `It needs Python ${version}, which the install offers to download.`;

/** Above the address of an install that a link suggests. */
export const fromLinkText =
  'A link suggests this app. Install it only if you trust its author: it runs with your rights.';
