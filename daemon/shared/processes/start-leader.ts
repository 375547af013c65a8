import { execa } from 'execa';

/**
 * Starts a program as the leader of its own process group. The caller reads its pipes, ends the group and waits with
 * `leaderExit`: execa's own promise stays pending while any process has a pipe open.
 */
export const startLeader = execa({
  // Ctrl-C in our terminal does not reach it, and its group can be signalled as a whole.
  detached: true,
  // Nothing is inherited (ADR 13).
  extendEnv: false,
  stdin: 'ignore',
  // Output is not kept in memory.
  buffer: false,
  reject: false,
  // The caller ends it; execa must not do so on our signals (ADR 34).
  cleanup: false,
});

interface Leader extends PromiseLike<{ readonly cause?: unknown }> {
  readonly pid?: number | undefined;
  readonly nodeChildProcess: NodeJS.EventEmitter;
}

/** @throws the system's error when the program could not start */
export async function requireStarted(child: Leader): Promise<void> {
  if (child.pid === undefined) throw (await child).cause;
}

/** Resolves when the leader has ended, even while its pipes are open; at once if it could not start. Never rejects. */
export function leaderExit(child: Leader): Promise<readonly [number | null, NodeJS.Signals | null]> {
  return new Promise((resolve) => {
    if (child.pid === undefined) resolve([null, null]);
    else child.nodeChildProcess.once('exit', (code, signal) => resolve([code, signal]));
  });
}
