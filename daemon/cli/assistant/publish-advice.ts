import { NotPublishable, SpaceChangedElsewhere, TokenReadOnly } from '../../assistant/errors.ts';
import type { FoundToken } from '../../assistant/publish/hub-token-for-assistant.ts';
import { HubError } from '../../hub/errors.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { findingsText } from './findings-text.ts';

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
