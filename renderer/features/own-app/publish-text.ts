import type { OwnApp, PublicationPreview, PublishRequest } from '../../../daemon/contract/apps/own-apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { counted } from '../../parts/format.ts';
import type { Choice } from '../../parts/forms/RadioList.tsx';

export type Visibility = NonNullable<PublishRequest['visibility']>;

export const visibilities: readonly Choice<Visibility>[] = [
  {
    value: 'private',
    label: 'Private',
    description: 'Only you see and install it. Publish it later, on the hub.',
  },
  {
    value: 'public',
    label: 'Public',
    description: 'Everyone sees its source and your account name. Copies of others stay.',
  },
];

export const whatPublishingDoes =
  'Publishing uploads the files of the folder to a Space of your account on the hub; you first see which files, and choose who may see them.';

/** The visibility after the publication: an existing Space keeps its own. */
export const visibilityOf = (preview: PublicationPreview, chosen: Visibility): Visibility =>
  preview.private === null ? chosen : preview.private ? 'private' : 'public';

type Change = PublicationPreview['changes'][number];

export const changeText: Readonly<Record<Change['change'], string>> = {
  added: 'new',
  changed: 'changed',
  removed: 'removed',
};

/** `4 files, 12.4 kB, and 1 removed`: what is uploaded. */
function uploadText(changes: readonly Change[]): string {
  const sent = changes.filter(({ change }) => change !== 'removed');
  const removed = changes.length - sent.length;
  const bytes = sent.reduce((sum, change) => sum + change.bytes, 0);
  const files = `${counted(sent.length, 'file')} (${byteText(bytes)})`;
  if (sent.length === 0) return `The removal of ${counted(removed, 'file')}`;
  return removed > 0 ? `${files} and the removal of ${counted(removed, 'file')}` : files;
}

/** Says in a sentence which files become public, or that they do not. */
export function leadText({ changes, id }: PublicationPreview, visibility: Visibility): string {
  const upload = uploadText(changes);
  return visibility === 'public'
    ? `${upload} will be public, as ${id}: everyone can read and install it.`
    : `${upload} will be uploaded to ${id}, which only you see.`;
}

/** `0.1.0`, `0.1.0 → 0.1.1`. */
export function versionsText({ publishedVersion, nextVersion }: PublicationPreview): string {
  if (publishedVersion === null) return `${nextVersion}, the first`;
  return publishedVersion === nextVersion ? nextVersion : `${publishedVersion} → ${nextVersion}`;
}

export function publishLabel({ exists, nextVersion }: PublicationPreview, visibility: Visibility): string {
  if (exists) return `Publish ${nextVersion}`;
  return visibility === 'public' ? 'Publish for everyone' : 'Publish privately';
}

export const openLabel = ({ space }: OwnApp): string => (space === null ? 'Publish…' : 'Publish an update…');

/** The words by which Discover finds a Space. */
export const searchFor = (spaceId: string): string => spaceId.split('/').at(-1) ?? spaceId;

/** Under the field for the token of the hub. */
export const writeTokenHelp = 'With write access; stored encrypted on this machine, never shown again.';
export const nothingNewText = 'The Space has the same files already: there is nothing to publish.';
export const changedElsewhereTitle = 'The Space was changed elsewhere since this folder was published.';
export const changedElsewhereText =
  'Files of this folder would replace those changes, which stay in the history of the Space.';
export const noAppText = 'First, there must be a valid app in the folder.';
