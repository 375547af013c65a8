import type { DaemonSnapshot } from '../../daemon/contract/daemon.ts';
import type { DaemonEvent } from '../../daemon/contract/events.ts';

/** The state of a daemon that the tray and the badge show. */
export type DaemonState = Pick<
  DaemonSnapshot,
  'daemon' | 'robot' | 'slot' | 'startupApp' | 'installedApps' | 'crashes' | 'notifications'
>;

/** The events that change it. */
export const followedEvents = [
  'snapshot',
  'daemon.changed',
  'robot.changed',
  'app-slot.changed',
  'startup-app.changed',
  'installed-apps.changed',
  'app-crashes.changed',
  'notifications.changed',
] as const satisfies readonly DaemonEvent['type'][];

export type FollowedEvent = Extract<DaemonEvent, { type: (typeof followedEvents)[number] }>;

/** @param state null: before the first snapshot */
export function afterEvent(state: DaemonState | null, event: FollowedEvent): DaemonState | null {
  if (event.type === 'snapshot') {
    const { daemon, robot, slot, startupApp, installedApps, crashes, notifications } = event.snapshot;
    return { daemon, robot, slot, startupApp, installedApps, crashes, notifications };
  }
  // Each of them carries its resource under the resource's own name.
  const { type: _, ...changed } = event;
  return state && { ...state, ...changed };
}

/**
 * Counts what the daemon knows that nobody has looked at: news of endpoints and crashes; and what keeps the robot or its
 * apps from work. The list of the dashboard has more, such as updates and failed installs; which of these somebody has
 * read or dismissed, only that page knows.
 */
export function attentionCount({ daemon, robot, crashes, notifications }: DaemonState): number {
  const isRobotInTrouble = robot.state === 'error' || robot.state === 'disconnected';
  const unseenCrashes = crashes.filter(({ seen }) => !seen).length;
  const isPythonMissing = daemon.python.state === 'missing';
  const problems = [isRobotInTrouble, isPythonMissing, daemon.storageProblem !== undefined];
  return notifications.unseen + unseenCrashes + problems.filter(Boolean).length;
}
