import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';
import { CHILD_MARK_VARIABLE, childEnvironment } from '../shared/processes/child-environment.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { leaderExit, startLeader } from '../shared/processes/start-leader.ts';
import type { Assignment } from './assignment.ts';
import { messageLine } from './guardian.ts';

export interface GuardianProcess {
  readonly pid: number | undefined;
  /** The daemon has ended in order; the guardian ends, too. */
  endedInOrder(): void;
  kill(): void;
  /** Resolves with how it ended; at once if it could not start. */
  readonly exited: Promise<string>;
}

/**
 * Starts a guardian in a session of its own, which the signals to ours do not reach, and assigns a daemon to it. It is no
 * child of the daemon: without the mark and outside of the register, the next daemon does not end it as an orphan.
 */
export function startGuardian({ node, args }: GuardProgram, assignment: Assignment): GuardianProcess {
  const { [CHILD_MARK_VARIABLE]: _mark, ...env } = childEnvironment(process.env, '');
  const child = startLeader(node, args, {
    env,
    cwd: parse(homedir()).root, // it keeps no disk busy
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  child.stdin.on('error', () => {}); // it has ended, as `exited` says
  child.stdin.write(messageLine({ type: 'guard', assignment }));
  const failed = child.pid === undefined ? child.then(({ originalMessage }) => originalMessage ?? 'not started') : null;
  return {
    pid: child.pid,
    endedInOrder: () => void child.stdin.end(messageLine({ type: 'ended-in-order' })),
    kill: () => void child.kill('SIGKILL'),
    exited: failed ?? leaderExit(child).then(([code, signal]) => signal ?? `exit code ${code}`),
  };
}

/**
 * The assignment of a guardian for the daemon in this process.
 * @param hasWindow whether this process is a browser, which leaves processes of its own when it crashes
 * @throws the system's error when a file of the program is missing
 */
export async function guardAssignment(
  { dataDir, robot, serialPort }: Pick<Assignment, 'dataDir' | 'robot' | 'serialPort'>,
  { assetsDir, hasWindow }: { readonly assetsDir: string; readonly hasWindow: boolean },
): Promise<Assignment> {
  const { pid, platform, execPath } = process;
  const [hardware, startTime] = await Promise.all([
    readFile(join(assetsDir, 'hardware', 'lite.json'), 'utf8'),
    platform === 'win32' ? null : startTimeOf(pid), // there it takes a second
  ]);
  const program = hasWindow ? execPath : null;
  return { dataDir, pid, program, startTime, robot, serialPort, hardware: JSON.parse(hardware) };
}

/** The program of the guardian, for a Node that is not Electron. */
export interface GuardProgram {
  readonly node: string;
  readonly args: readonly string[];
}

/** V8 without its compilers, which a few seconds of work do not need, and without threads for them: 3 MB less. */
const SMALL = ['--lite-mode', '--v8-pool-size=0'];

/** @param folder has `dist`  @returns null when the guardian is not built there */
export function guardProgramIn(folder: string, node: string): GuardProgram | null {
  const program = join(folder, 'dist', 'node', 'guard.cjs');
  return existsSync(program) ? { node, args: [...SMALL, program] } : null;
}
