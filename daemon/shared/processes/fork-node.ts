import type { Readable } from 'node:stream';

/** A Node program that runs as a child. It must end itself at once when the channel to its parent closes. */
export interface NodeChild {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended. Never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/**
 * Starts a Node program as a child: Electron and plain Node do it differently. The caller records it, and ends it or its
 * process group; in Electron it leads none.
 * @param program the file to run
 * @param env its whole environment
 * @throws the system's error when it could not start
 */
export type ForkNode = (
  program: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>> },
) => Promise<NodeChild>;
