import type { DaemonSnapshot, DaemonStatus } from '../contract/daemon.ts';

type StatusOf<Status> = { readonly status: Status };

/** The parts of the daemon that a snapshot is read from. */
interface SnapshotParts {
  readonly status: () => DaemonStatus;
  readonly slot: { readonly state: DaemonSnapshot['slot'] };
  readonly apps: {
    readonly installed: { list(): DaemonSnapshot['installedApps'] };
    readonly samples: () => DaemonSnapshot['sampleApps'];
    readonly startupApp: { readonly name: DaemonSnapshot['startupApp'] };
    readonly store: StatusOf<DaemonSnapshot['store']>;
    readonly hubToken: { readonly account: DaemonSnapshot['hubAccount'] };
    readonly history: { readonly crashes: DaemonSnapshot['crashes'] };
    readonly output: { page(): DaemonSnapshot['output'] };
  };
  readonly models: {
    readonly catalog: StatusOf<DaemonSnapshot['catalogSource']>;
    readonly endpoints: StatusOf<DaemonSnapshot['endpoints']>;
  };
  readonly ownApps: StatusOf<DaemonSnapshot['ownApps']>;
  readonly board: StatusOf<DaemonSnapshot['notifications']>;
  readonly jobs: { list(): DaemonSnapshot['jobs'] };
  readonly robot: Pick<DaemonSnapshot, 'pose'> & { readonly state: DaemonSnapshot['robot'] };
}

/** The current state of everything that a page shows. */
export function snapshotOf({ status, slot, apps, ownApps, models, board, jobs, robot }: SnapshotParts): DaemonSnapshot {
  return {
    daemon: status(),
    slot: slot.state,
    installedApps: apps.installed.list(),
    sampleApps: apps.samples(),
    ownApps: ownApps.status,
    crashes: apps.history.crashes,
    startupApp: apps.startupApp.name,
    store: apps.store.status,
    hubAccount: apps.hubToken.account,
    catalogSource: models.catalog.status,
    endpoints: models.endpoints.status,
    notifications: board.status,
    jobs: jobs.list(),
    robot: robot.state,
    pose: robot.pose,
    output: apps.output.page(),
  };
}
