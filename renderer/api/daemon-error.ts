import { DaemonError } from '../../daemon/client/daemon-error.ts';

/** What is wrong with one part of a request, named as the contract does, in sentences for its field; null: nothing, or something else. */
export function problemAt(error: DaemonError | null | undefined, part: string): string | null {
  const messages = error?.issues.filter(({ path }) => path[0] === part).map(({ message }) => message) ?? [];
  return messages.length > 0 ? messages.join(' ') : null;
}

/** What a `catch` got, as a sentence: anything that is not a DaemonError is a bug of this page. */
export function asDaemonError(error: unknown): DaemonError {
  if (error instanceof DaemonError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new DaemonError(null, `This page failed: ${detail}. Reload it.`, [], error);
}
