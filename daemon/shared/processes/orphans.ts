import type { DataPaths } from '../files/data-paths.ts';
import { CHILD_MARK_VARIABLE, childMark } from './child-environment.ts';
import { type Leader, leadersFile, readLeaders } from './leader-register.ts';
import { processNumbers, startedSinceBoot, startTimes } from './process-identity.ts';
import { killUntilGone, listProcesses, processesWithEnvironment, signalGroup } from './processes.ts';

/** What a daemon that was killed has left running, and how to find it again while it is being ended. */
export interface Orphans {
  /** The numbers of the groups that are proven to be its own. */
  readonly groups: ReadonlySet<number>;
  readonly find: () => Promise<number[]>;
}

/**
 * Looks for what the last daemon on a data folder left running, none being on it now: the groups of the leaders that it
 * wrote down, and whatever carries its mark. Never a process that merely has the number of one that is gone.
 */
export async function orphansOf(paths: DataPaths): Promise<Orphans> {
  const [mark, leaders] = await Promise.all([childMark(paths.root), readLeaders(leadersFile(paths))]);
  const groups = await ownGroups(leaders);
  if (process.platform === 'win32') {
    const own = leaders.filter(({ pid }) => groups.has(pid));
    return { groups, find: async () => alive(own) };
  }
  return {
    groups,
    find: async () => {
      const [all, marked] = await Promise.all([listProcesses(), processesWithEnvironment(CHILD_MARK_VARIABLE, mark)]);
      const members = all.filter(({ groupId }) => groups.has(groupId)).map(({ pid }) => pid);
      return [...new Set([...members, ...marked])].filter((pid) => pid !== process.pid);
    },
  };
}

/** Ends all of that. @returns what was killed, and whether nothing of it is left at the deadline */
export async function endOrphans(paths: DataPaths, deadlineMs: number): Promise<{ killed: number[]; gone: boolean }> {
  const { groups, find } = await orphansOf(paths);
  // There a process takes what it started along only if it is asked so.
  if (process.platform === 'win32') for (const pid of groups) signalGroup(pid, 'SIGKILL');
  return killUntilGone(find, deadlineMs);
}

/**
 * The groups that are still those of the leaders: the leader lives and started when it did, or it is gone and its number
 * cannot have been given out again since. While a group has members its number is not given to another.
 */
async function ownGroups(leaders: readonly Leader[]): Promise<Set<number>> {
  if (leaders.length === 0) return new Set();
  const [times, now, numbers] = await Promise.all([
    startTimes([...leaders.map(({ pid }) => pid), process.pid]),
    startedSinceBoot(),
    processNumbers(),
  ]);
  const ours = times.get(process.pid) ?? '';
  const own = leaders.filter(({ pid, startTime, startedSinceBoot: then }) => {
    const there = times.get(pid);
    if (there !== undefined) return there === startTime;
    if (now === null || then === null || numbers === null || !isSameBoot(startTime, ours)) return false;
    return now >= then && now - then < numbers / 2;
  });
  return new Set(own.map(({ pid }) => pid));
}

function isSameBoot(one: string, other: string): boolean {
  return one.split(':')[0] === other.split(':')[0];
}

async function alive(leaders: readonly Leader[]): Promise<number[]> {
  const times = await startTimes(leaders.map(({ pid }) => pid));
  return leaders.flatMap(({ pid, startTime }) => (times.get(pid) === startTime ? [pid] : []));
}
