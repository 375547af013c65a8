import type { Readable } from 'node:stream';
import { leaderExit, requireStarted, startLeader } from './start-leader.ts';

/** A Node program that runs as a child. It must end itself at once when the channel to its parent closes. */
export interface NodeChild {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended. Never rejects. */
  readonly exited: Promise<NodeExit>;
}

interface NodeExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Faults in native code, by the number of their signal, and by the exit code of Windows. */
const faults: ReadonlyMap<number, NodeJS.Signals> = new Map([
  [4, 'SIGILL'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [11, 'SIGSEGV'],
  [0xc0000005, 'SIGSEGV'], // STATUS_ACCESS_VIOLATION
  [0xc000001d, 'SIGILL'], // STATUS_ILLEGAL_INSTRUCTION
  [0xc0000409, 'SIGABRT'], // STATUS_STACK_BUFFER_OVERRUN, by which the C runtime aborts too
]);
/** The system's mark for a core dump beside the number of the signal. */
const CORE_DUMPED = 0x80;

/**
 * Reads a code by which only a fault ends a program. Electron passes on the status of the system, in which the number of a
 * signal stands in the place of an exit code; Windows has no signals.
 * @param code programs that exit by themselves with one of these numbers are taken for crashed
 */
export function exitOfCode(code: number): NodeExit {
  const unsigned = code >>> 0; // Electron gives the codes of Windows with a sign
  const signal = faults.get(unsigned) ?? faults.get(unsigned - CORE_DUMPED) ?? null;
  return signal === null ? { code, signal } : { code: null, signal };
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
  const isWindows = process.platform === 'win32';
  const exited = leaderExit(child).then(([code, signal]) =>
    isWindows && code !== null ? exitOfCode(code) : { code, signal },
  );
  return { pid: child.pid as number, stdout: child.stdout, stderr: child.stderr, exited };
};
