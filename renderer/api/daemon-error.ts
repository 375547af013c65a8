import { DaemonError } from '../../daemon/client/daemon-error.ts';

/** The error's messages about one field of a request, joined; null if there are none. `part`: the field's name. */
export function problemAt(error: DaemonError | null | undefined, part: string): string | null {
  const messages = error?.issues.filter(({ path }) => path[0] === part).map(({ message }) => message) ?? [];
  return messages.length > 0 ? messages.join(' ') : null;
}

/** Wraps what a `catch` got. Anything but a DaemonError is a bug of this page. */
export function asDaemonError(error: unknown): DaemonError {
  if (error instanceof DaemonError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new DaemonError(null, `This page failed: ${detail}. Reload it.`, [], error);
}
