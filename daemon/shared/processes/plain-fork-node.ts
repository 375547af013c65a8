import type { ForkNode } from './fork-node.ts';
import { recordLeader } from './leader-register.ts';
import { killUntilGone, processesInGroup } from './processes.ts';
import { leaderExit, requireStarted, startLeader } from './start-leader.ts';

const SWEEP_MS = 2_000;

/**
 * Starts a Node program with the Node that runs this process, as the leader of its own process group. It has ended when
 * its whole group is gone. Its channel closes with this process, even by SIGKILL.
 */
export const plainForkNode: ForkNode = async (program, args, { env }) => {
  const child = startLeader(process.execPath, [program, ...args], { env, ipc: true });
  await requireStarted(child);
  const pid = child.pid as number;
  const forget = recordLeader(pid, env);
  const exited = leaderExit(child).then(async ([code, signal]) => {
    await killUntilGone(() => processesInGroup(pid), SWEEP_MS);
    forget();
    return { code, signal };
  });
  return { pid, stdout: child.stdout, stderr: child.stderr, exited };
};
