import type { PublicationPreview } from '../../contract/apps/own-apps.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import { visibleText } from '../../shared/display-text.ts';

/** Most files that are listed one by one. */
const MAX_LISTED = 60;
const signs = { added: '+', changed: '~', removed: '-' } as const;

/**
 * Describes a publication to the person who decides.
 * @param how.isPrivate of a new Space
 * @param how.overwrite whether changes made elsewhere may be overwritten
 */
export function previewText(
  preview: PublicationPreview,
  { isPrivate, overwrite }: { readonly isPrivate: boolean; readonly overwrite: boolean },
): string {
  const { account, id, url, exists, publishedVersion, nextVersion, changes, changedElsewhere } = preview;
  const rows = {
    Space: `${id}, ${exists ? 'which exists' : 'a new one'}: ${url}`,
    account,
    visibility: visibilityText(preview.private ?? isPrivate, exists),
    version: publishedVersion === null ? nextVersion : `${nextVersion}; published is ${publishedVersion}`,
    files: changes.length === 0 ? 'the same as the published ones' : countsOf(changes),
  };
  const lines = Object.entries(rows).map(([name, text]) => `  ${name.padEnd(10)} ${visibleText(text)}\n`);
  const fate = overwrite
    ? 'They are overwritten.'
    : 'publish refuses to overwrite them, unless you allow it: --overwrite.';
  const warning = changedElsewhere ? [`  The Space has changes that were made elsewhere. ${fate}\n`] : [];
  return [...lines, filesText(changes), ...warning].join('');
}

/** The files of a publication, each with what is done with it; without a comparison, all are added. */
export function filesText(
  files: readonly { readonly path: string; readonly bytes: number; readonly change?: keyof typeof signs }[],
): string {
  const lines = files
    .slice(0, MAX_LISTED)
    .map(({ path, bytes, change = 'added' }) => `    ${signs[change]} ${visibleText(path)} (${byteText(bytes)})\n`);
  const more = files.length > MAX_LISTED ? [`    and ${files.length - MAX_LISTED} more\n`] : [];
  return [...lines, ...more].join('');
}

function visibilityText(isPrivate: boolean, exists: boolean): string {
  const word = isPrivate
    ? 'private: only your account sees it'
    : 'public: everybody sees it, and finds it in the store';
  return exists ? `stays ${word}` : word;
}

function countsOf(changes: PublicationPreview['changes']): string {
  return (['added', 'changed', 'removed'] as const)
    .map((kind) => ({ kind, count: changes.filter(({ change }) => change === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
    .join(', ');
}
