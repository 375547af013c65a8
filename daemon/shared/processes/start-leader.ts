import { execa } from 'execa';

/**
 * Starts a program as the leader of a process group of its own. The caller reads its pipes, ends the group and waits:
 * for the leader with `leaderExit`, since the promise of execa stays pending while anything has a pipe open.
 */
export const startLeader = execa({
  // Ctrl-C in our terminal is not for it, and its group can be signalled as a whole.
  detached: true,
  // The environment is the one that is given, nothing more (ADR 13).
  extendEnv: false,
  stdin: 'ignore',
  // A line of any length passes through without being kept.
  buffer: false,
  reject: false,
  // Its end is the caller's affair: handlers of our own signals would be a second authority (ADR 34).
  cleanup: false,
});

/** The part of a subprocess of execa that tells how it began and ended. */
interface Leader extends PromiseLike<{ readonly cause?: unknown }> {
  readonly pid?: number | undefined;
  readonly nodeChildProcess: NodeJS.EventEmitter;
}

/** @throws the system's error when the program could not be started at all */
export async function requireStarted(child: Leader): Promise<void> {
  if (child.pid === undefined) throw (await child).cause;
}

/** Settles when the leader has ended, whatever holds its pipes; at once where it could not be started. Never rejects. */
export function leaderExit(child: Leader): Promise<readonly [number | null, NodeJS.Signals | null]> {
  return new Promise((resolve) => {
    if (child.pid === undefined) resolve([null, null]);
    else child.nodeChildProcess.once('exit', (code, signal) => resolve([code, signal]));
  });
}
