import { NotPublishable, SpaceChangedElsewhere, TokenReadOnly } from '../../assistant/errors.ts';
import type { FoundToken } from '../../assistant/publish/hub-token-for-assistant.ts';
import type { PublicationPreview } from '../../contract/apps/own-apps.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import { HubError } from '../../hub/errors.ts';
import { visibleText } from '../../shared/display-text.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { findingsText } from './findings-text.ts';

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

class PublishFailed extends DomainError {}

/**
 * Runs a part of a publication. Adds to its error what a person at a terminal can do about it.
 * @param from what gave the token; null: there is none yet
 */
export async function withAdvice<T>(from: FoundToken['from'] | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw advised(error, from);
  }
}

function advised(error: unknown, from: FoundToken['from'] | null): unknown {
  if (error instanceof NotPublishable) {
    process.stderr.write(findingsText(error.findings, process.stderr));
    return new PublishFailed('The app cannot be published as it is.', { cause: error });
  }
  if (error instanceof SpaceChangedElsewhere) return failed(error, CHANGED_ELSEWHERE);
  if (error instanceof TokenReadOnly) return failed(error, whose(from));
  if (error instanceof HubError) return failed(error, error.kind === 'auth' ? whose(from) : error.action);
  return error;
}

const CHANGED_ELSEWHERE =
  'Bring them into the folder with "git pull space main" (for a private Space, Git asks for your account and a token), ' +
  'or publish with --overwrite.';

const failed = (error: Error, advice: string) =>
  new PublishFailed(`${error.message} ${advice}`.trim(), { cause: error });

/** A sentence that says which token was used. */
function whose(from: FoundToken['from'] | null): string {
  if (from === null || from === 'person') return '';
  return from === 'data-folder'
    ? 'The token is the one with which the daemon is signed in to the hub.'
    : `The token is that of the variable ${from}.`;
}
