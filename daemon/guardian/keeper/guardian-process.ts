import { homedir } from 'node:os';
import { parse } from 'node:path';
import { CHILD_MARK_VARIABLE, childEnvironment } from '../../shared/processes/child-environment.ts';
import { leaderExit, startLeader } from '../../shared/processes/start-leader.ts';
import type { Assignment } from '../assignment.ts';
import { messageLine } from '../guardian-message.ts';
import type { GuardProgram } from './guard-program.ts';

/** A guardian that was started. */
export interface GuardianProcess {
  readonly pid: number | undefined;
  /** Tells it that the daemon has ended in order, after which it ends. */
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
