import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { DaemonStatus } from '../../../daemon/contract/daemon.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { isInWindow } from '../../navigation/in-window.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { openFailures } from '../activity/install-jobs.ts';
import { causedRollback, isUpdatable, rollbackKey } from '../versions/version-text.ts';
import {
  type FailedEndpoints,
  failureKey,
  type LostModel,
  noneFailed,
  useFailedEndpoints,
  useLostModels,
} from './EndpointFailures.tsx';

type UnexpectedEnd = NonNullable<DaemonStatus['unexpectedEnd']>;

/** All that is known to need somebody's attention, but for the robot, whose problem has a place of its own. */
export interface Attention {
  /** How the last daemon ended, if that was unexpected. */
  readonly unexpectedEnd: UnexpectedEnd | null;
  /** The Python that apps need and that is missing. */
  readonly python: Extract<DaemonStatus['python'], { state: 'missing' }> | null;
  /** Those that nobody has seen, except those that caused a rollback, newest first. */
  readonly crashes: readonly AppRun[];
  /** The apps that were rolled back by themselves. */
  readonly rollbacks: readonly InstalledApp[];
  readonly lostModels: readonly LostModel[];
  readonly failedEndpoints: FailedEndpoints;
  readonly failedJobs: readonly Job[];
  readonly updates: readonly InstalledApp[];
  /** A newer version of the program, which its window can get. */
  readonly newer: string | null;
}

export const unexpectedEndKey = ({ at }: UnexpectedEnd): string => `unexpected end ${at}`;
export const newerKey = (version: string): string => `program ${version}`;
export const updateKey = ({ name, update }: InstalledApp): string => `update ${name} ${update?.commit ?? ''}`;

export function useAttention(): Attention {
  const python = useDashboard((s) => s.daemon?.python);
  const end = useDashboard((s) => s.daemon?.unexpectedEnd) ?? null;
  const crashes = useDashboard((s) => s.crashes);
  const jobs = useDashboard((s) => s.jobs);
  const program = useDashboard((s) => s.daemon?.desktop?.update);
  const hasNewer = isInWindow && (program?.state === 'available' || program?.state === 'ready');
  const newer = hasNewer ? program.version : null;
  const apps = useDashboard((s) => s.installedApps);
  const dismissed = useDashboard((s) => s.dismissed);
  const closed = new Set(dismissed); // there may be hundreds of updates
  const endpoints = useFailedEndpoints();
  const lost = useLostModels();
  const isOpen = (key: string) => !closed.has(key);
  const unseen = crashes.flatMap(({ run, seen }) => (seen ? [] : [run]));
  return {
    unexpectedEnd: end && isOpen(unexpectedEndKey(end)) ? end : null,
    python: python?.state === 'missing' ? python : null,
    crashes: unseen.filter((run) => !apps.some((app) => causedRollback(run, app))),
    rollbacks: apps.filter((app) => app.rolledBack?.automatic && isOpen(rollbackKey(app))),
    lostModels: lost ?? [],
    failedEndpoints: endpoints ?? noneFailed,
    failedJobs: openFailures({ jobs, dismissed, installedApps: apps }),
    newer: newer !== null && isOpen(newerKey(newer)) ? newer : null,
    updates: apps.filter((app) => isUpdatable(app) && isOpen(updateKey(app))),
  };
}

/** The keys of all that can be dismissed in this browser. Crashes are not among them: the daemon keeps who has seen them. */
export function dismissibleKeys(attention: Attention): readonly string[] {
  const { unexpectedEnd, rollbacks, failedEndpoints, failedJobs, updates, newer } = attention;
  return [
    ...(unexpectedEnd ? [unexpectedEndKey(unexpectedEnd)] : []),
    ...rollbacks.map(rollbackKey),
    ...failedEndpoints.open.map(failureKey),
    ...(failedEndpoints.unlisted > 0 ? [failedEndpoints.unlistedKey] : []),
    ...failedJobs.map(({ id }) => id),
    ...updates.map(updateKey),
    ...(newer === null ? [] : [newerKey(newer)]),
  ];
}

/** A key for each entry, by which it counts as read. */
export function attentionKeys(attention: Attention): readonly string[] {
  const { python, crashes, lostModels } = attention;
  return [
    ...dismissibleKeys(attention),
    ...(python ? [`python ${python.reason}`] : []),
    ...crashes.map(({ runId }) => `crash ${runId}`),
    ...lostModels.map(({ app, need }) => `lost ${app.name} ${need.name}`),
  ];
}

/** How many entries nobody in this browser has had on an opened list, with the notifications that nobody has seen. */
export function useUnread(): number {
  const attention = useAttention();
  const read = new Set(useDashboard((s) => s.read));
  const unseen = useDashboard((s) => s.notifications?.unseen ?? 0);
  // Each failed endpoint is a notification, too.
  const others = { ...attention, failedEndpoints: noneFailed };
  return unseen + attentionKeys(others).filter((key) => !read.has(key)).length;
}
