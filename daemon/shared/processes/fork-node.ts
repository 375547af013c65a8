import type { Readable } from 'node:stream';
import { leaderExit, requireStarted, startLeader } from './start-leader.ts';

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

/**
 * Starts a Node program with the Node that runs this process, as the leader of its own process group. Its channel closes
 * with this process, even by SIGKILL.
 */
export const plainForkNode: ForkNode = async (program, args, { env }) => {
  const child = startLeader(process.execPath, [program, ...args], { env, ipc: true });
  await requireStarted(child);
  const exited = leaderExit(child).then(([code, signal]) => ({ code, signal }));
  return { pid: child.pid as number, stdout: child.stdout, stderr: child.stderr, exited };
};
