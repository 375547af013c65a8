import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallName, DaemonClient } from '../../daemon/client/calls.ts';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import {
  type AppCommandsSlice,
  appCommandsReducers,
  createAppCommandsSlice,
} from '../slices/apps/app-commands-slice.ts';
import { type AppsSlice, appsReducers, noApps } from '../slices/apps/apps-slice.ts';
import { createJobsSlice, type JobsSlice, jobsReducers } from '../slices/apps/jobs-slice.ts';
import { createOutputSlice, type OutputSlice, outputReducers } from '../slices/apps/output-slice.ts';
import { createOwnAppsSlice, type OwnAppsSlice, ownAppsReducers } from '../slices/apps/own-apps-slice.ts';
import { runsReducers } from '../slices/apps/runs.ts';
import { type AnswersSlice, createAnswersSlice } from '../slices/base/answers.ts';
import { type AttentionSlice, createAttentionSlice } from '../slices/base/attention-slice.ts';
import { type CommandsSlice, createCommandsSlice } from '../slices/base/commands.ts';
import { createKeysSlice, type KeysSlice } from '../slices/base/keys-slice.ts';
import type { Reducers } from '../slices/base/slice.ts';
import { createVisitedSlice, type VisitedSlice } from '../slices/base/visited-slice.ts';
import { type ConnectionSlice, connectionReducers, createConnectionSlice } from '../slices/daemon/connection-slice.ts';
import { nothingReported, type ReportedSlice, reportedReducers } from '../slices/daemon/reported-slice.ts';
import { createCall, createSessionSlice, type SessionSlice } from '../slices/daemon/session-slice.ts';
import { type CompareSlice, createCompareSlice } from '../slices/models/compare-slice.ts';
import { createDeploySlice, type DeploySlice } from '../slices/models/deploy-slice.ts';
import {
  createEndpointLogSlice,
  type EndpointLogSlice,
  endpointLogReducers,
} from '../slices/models/endpoint-log-slice.ts';
import { createEndpointsSlice, type EndpointsSlice } from '../slices/models/endpoints-slice.ts';
import { createModelFilesSlice, type ModelFilesSlice } from '../slices/models/model-files-slice.ts';
import {
  createRobotCommandsSlice,
  type RobotCommandsSlice,
  type RobotSlice,
  robotReducers,
  unknownRobot,
} from '../slices/robot/robot-slice.ts';

export interface Dashboard
  extends ConnectionSlice,
    ReportedSlice,
    RobotSlice,
    RobotCommandsSlice,
    AppsSlice,
    AppCommandsSlice,
    OwnAppsSlice,
    OutputSlice,
    SessionSlice,
    VisitedSlice,
    CompareSlice,
    DeploySlice,
    EndpointsSlice,
    EndpointLogSlice,
    ModelFilesSlice,
    JobsSlice,
    AttentionSlice,
    KeysSlice,
    AnswersSlice,
    CommandsSlice {
  /** The only way to change the daemon's state in the store. Applying an event twice is harmless. */
  readonly apply: (event: DaemonEvent) => void;
  readonly call: DaemonClient['call'];
  /** The method and the path of each operation, `GET /api/jobs/{jobId}`. */
  readonly addresses: Readonly<Record<CallName, string>>;
}

export type DashboardStore = StoreApi<Dashboard>;

interface DashboardDeps {
  readonly daemon: DaemonClient;
  readonly addresses: Readonly<Record<CallName, string>>;
  readonly events: { retryNow(): void; reopen(): void };
}

const sliceReducers: readonly Reducers<Dashboard>[] = [
  connectionReducers,
  reportedReducers,
  robotReducers,
  appsReducers,
  appCommandsReducers,
  ownAppsReducers,
  runsReducers,
  outputReducers,
  endpointLogReducers,
  jobsReducers,
];

type Reducer = (before: Dashboard, event: DaemonEvent) => Partial<Dashboard>;

/** An event runs only the reducers of its type, since a pose arrives 20 times a second. */
const reducersByType = new Map<string, Reducer[]>();
for (const reducers of sliceReducers) {
  for (const [type, reducer] of Object.entries(reducers)) {
    reducersByType.set(type, [...(reducersByType.get(type) ?? []), reducer as Reducer]);
  }
}

export function createDashboardStore({ daemon, addresses, events }: DashboardDeps): DashboardStore {
  return createStore<Dashboard>()((set, get) => {
    const call = createCall(get, daemon);
    const commands = createCommandsSlice(set, call);
    const { send } = commands;
    return {
      ...createConnectionSlice(set, daemon, events),
      ...createAnswersSlice(set, get, call),
      ...commands,
      ...nothingReported,
      ...unknownRobot,
      ...createRobotCommandsSlice(send),
      ...noApps,
      ...createAppCommandsSlice(set, get, send, call),
      ...createOwnAppsSlice(send),
      ...createOutputSlice(set, get, call),
      ...createSessionSlice(get),
      ...createVisitedSlice(set),
      ...createCompareSlice(set),
      ...createDeploySlice(get, send),
      ...createEndpointsSlice(send),
      ...createEndpointLogSlice(set, get, call),
      ...createModelFilesSlice(set, get, send),
      ...createJobsSlice(get, send),
      ...createAttentionSlice(set),
      ...createKeysSlice(set),
      call,
      addresses,
      apply(event) {
        set((before) => {
          const after = { ...before };
          for (const reduce of reducersByType.get(event.type) ?? []) Object.assign(after, reduce(after, event));
          return after;
        }, true);
      },
    };
  });
}

/**
 * Loads skipped lines of output and of an open log, and starts an app that is tried once it is installed. A failed load is
 * retried when new lines arrive or the slot changes.
 */
export function fetchMissing(store: DashboardStore): void {
  store.subscribe((now, before) => {
    if (now.tried !== null && (now.jobs !== before.jobs || now.tried !== before.tried)) now.startTried();
    if (now.output !== before.output || now.slot !== before.slot) void now.fillOutput();
    if (
      now.openLog &&
      (now.snapshots !== before.snapshots ||
        now.openLog.newest !== before.openLog?.newest ||
        now.openLog.logId !== before.openLog.logId)
    )
      void now.fillEndpointLog();
  });
}
