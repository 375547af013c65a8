import type { DataPaths } from '../files/data-paths.ts';
import { CHILD_MARK_VARIABLE, childMark } from './child-environment.ts';
import { type Leader, readLeaders } from './leader-register.ts';
import { maxProcessId, startedSinceBoot, startTimes } from './process-identity.ts';
import { killUntilGone, listProcesses, processesWithEnvironment, signalGroup } from './processes.ts';

/** The processes that a killed daemon left running. */
interface Orphans {
  /** The ids of the groups proven to be the daemon's. */
  readonly groups: ReadonlySet<number>;
  /** Finds those that still run. */
  readonly find: () => Promise<number[]>;
}

/**
 * Finds the processes that the last daemon on a data folder left running: the groups of its recorded leaders, and every
 * process with its mark. Never a process that only reuses the id of an ended one. No daemon may run on the folder.
 */
export async function orphansOf(paths: DataPaths): Promise<Orphans> {
  const [mark, leaders] = await Promise.all([childMark(paths.root), readLeaders(paths.leadersFile)]);
  const groups = await ownGroups(leaders);
  if (process.platform === 'win32') {
    const own = leaders.filter(({ pid }) => groups.has(pid));
    return { groups, find: async () => alive(own) };
  }
  return {
    groups,
    find: async () => {
      const [members, marked] = await Promise.all([
        membersOf(groups),
        processesWithEnvironment(CHILD_MARK_VARIABLE, mark),
      ]);
      return [...new Set([...members, ...marked])].filter((pid) => pid !== process.pid);
    },
  };
}

/** Kills all orphans. @returns the killed process ids, and whether none is left at the deadline */
export async function endOrphans(paths: DataPaths, deadlineMs: number): Promise<{ killed: number[]; gone: boolean }> {
  const { groups, find } = await orphansOf(paths);
  // On Windows, killing a process does not kill its children.
  if (process.platform === 'win32') for (const pid of groups) signalGroup(pid, 'SIGKILL');
  return killUntilGone(find, deadlineMs);
}

/**
 * The groups that still belong to the leaders: the leader lives with the recorded start time, or it has ended and its id
 * cannot have been reused since. The system does not reuse the id of a group that has members.
 */
async function ownGroups(leaders: readonly Leader[]): Promise<Set<number>> {
  if (leaders.length === 0) return new Set();
  const [times, now, pidMax] = await Promise.all([
    startTimes([...leaders.map(({ pid }) => pid), process.pid]),
    startedSinceBoot(),
    maxProcessId(),
  ]);
  const ours = times.get(process.pid) ?? '';
  const own = leaders.filter(({ pid, startTime, startedSinceBoot: then }) => {
    const found = times.get(pid);
    if (found !== undefined) return found === startTime;
    if (now === null || then === null || pidMax === null || !isSameBoot(startTime, ours)) return false;
    return now >= then && now - then < pidMax / 2;
  });
  return new Set(own.map(({ pid }) => pid));
}

async function membersOf(groups: ReadonlySet<number>): Promise<number[]> {
  if (groups.size === 0) return []; // the usual case: avoids listing all processes
  return (await listProcesses()).filter(({ groupId }) => groups.has(groupId)).map(({ pid }) => pid);
}

function isSameBoot(one: string, other: string): boolean {
  return one.split(':')[0] === other.split(':')[0];
}

async function alive(leaders: readonly Leader[]): Promise<number[]> {
  const times = await startTimes(leaders.map(({ pid }) => pid));
  return leaders.flatMap(({ pid, startTime }) => (times.get(pid) === startTime ? [pid] : []));
}
