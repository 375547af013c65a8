import type { ForkNode } from './fork-node.ts';
import { leaderExit, requireStarted, startLeader } from './start-leader.ts';

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
