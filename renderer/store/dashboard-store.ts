import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DaemonClient } from '../../daemon/client/calls.ts';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import {
  type AppCommandsSlice,
  appCommandsReducers,
  createAppCommandsSlice,
} from '../slices/apps/app-commands-slice.ts';
import { type AppsSlice, appsReducers, createAppsSlice } from '../slices/apps/apps-slice.ts';
import { type CrashesSlice, crashesReducers, createCrashesSlice } from '../slices/apps/crashes-slice.ts';
import { createJobsSlice, type JobsSlice, jobsReducers } from '../slices/apps/jobs-slice.ts';
import { createNeedsSlice, type NeedsSlice } from '../slices/apps/needs-slice.ts';
import { createOutputSlice, type OutputSlice, outputReducers } from '../slices/apps/output-slice.ts';
import { createOwnAppsSlice, type OwnAppsSlice, ownAppsReducers } from '../slices/apps/own-apps-slice.ts';
import { createRunsSlice, type RunsSlice, runsReducers } from '../slices/apps/runs-slice.ts';
import { createStoreSlice, type StoreSlice, storeReducers } from '../slices/apps/store-slice.ts';
import { createVariablesSlice, type VariablesSlice } from '../slices/apps/variables-slice.ts';
import { type AnswersSlice, createAnswersSlice } from '../slices/base/answers.ts';
import { type CommandsSlice, createCommandsSlice, createSendCommand } from '../slices/base/commands.ts';
import type { Reducers } from '../slices/base/slice.ts';
import { createVisitedSlice, type VisitedSlice } from '../slices/base/visited-slice.ts';
import { type ConnectionSlice, connectionReducers, createConnectionSlice } from '../slices/daemon/connection-slice.ts';
import { createDownloadCacheSlice, type DownloadCacheSlice } from '../slices/daemon/download-cache-slice.ts';
import { createFindSlice, type FindSlice } from '../slices/daemon/find-slice.ts';
import { createHubSlice, type HubSlice, hubReducers } from '../slices/daemon/hub-slice.ts';
import {
  createNotificationsSlice,
  type NotificationsSlice,
  notificationsReducers,
} from '../slices/daemon/notifications-slice.ts';
import { createSessionSlice, type SessionSlice } from '../slices/daemon/session-slice.ts';
import { createStorageSlice, type StorageSlice } from '../slices/daemon/storage-slice.ts';
import {
  type CatalogSourceSlice,
  catalogSourceReducers,
  createCatalogSourceSlice,
} from '../slices/models/catalog-source-slice.ts';
import { type CompareSlice, createCompareSlice } from '../slices/models/compare-slice.ts';
import { createDeploySlice, type DeploySlice } from '../slices/models/deploy-slice.ts';
import {
  createEndpointLogSlice,
  type EndpointLogSlice,
  endpointLogReducers,
} from '../slices/models/endpoint-log-slice.ts';
import { createEndpointsSlice, type EndpointsSlice, endpointsReducers } from '../slices/models/endpoints-slice.ts';
import { createListedEndpointsSlice, type ListedEndpointsSlice } from '../slices/models/listed-endpoints-slice.ts';
import { createModelFilesSlice, type ModelFilesSlice } from '../slices/models/model-files-slice.ts';
import { createRuntimesSlice, type RuntimesSlice } from '../slices/models/runtimes-slice.ts';
import { createMotorsSlice, type MotorsSlice } from '../slices/robot/motors-slice.ts';
import { createRobotSlice, type RobotSlice, robotReducers } from '../slices/robot/robot-slice.ts';

export interface Dashboard
  extends ConnectionSlice,
    RobotSlice,
    MotorsSlice,
    AppsSlice,
    AppCommandsSlice,
    OwnAppsSlice,
    RunsSlice,
    CrashesSlice,
    OutputSlice,
    VariablesSlice,
    NeedsSlice,
    StoreSlice,
    FindSlice,
    HubSlice,
    DownloadCacheSlice,
    SessionSlice,
    NotificationsSlice,
    StorageSlice,
    CatalogSourceSlice,
    VisitedSlice,
    CompareSlice,
    DeploySlice,
    EndpointsSlice,
    ListedEndpointsSlice,
    EndpointLogSlice,
    RuntimesSlice,
    ModelFilesSlice,
    JobsSlice,
    AnswersSlice,
    CommandsSlice {
  /** The only way to change the daemon's state in the store. Applying an event twice is harmless. */
  readonly apply: (event: DaemonEvent) => void;
  readonly call: DaemonClient['call'];
}

export type DashboardStore = StoreApi<Dashboard>;

interface DashboardDeps {
  readonly daemon: DaemonClient;
  readonly events: { retryNow(): void };
}

const sliceReducers: readonly Reducers<Dashboard>[] = [
  connectionReducers,
  robotReducers,
  appsReducers,
  appCommandsReducers,
  ownAppsReducers,
  runsReducers,
  crashesReducers,
  outputReducers,
  storeReducers,
  hubReducers,
  catalogSourceReducers,
  endpointsReducers,
  notificationsReducers,
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

export function createDashboardStore({ daemon, events }: DashboardDeps): DashboardStore {
  return createStore<Dashboard>()((set, get) => {
    const send = createSendCommand(set);
    return {
      ...createConnectionSlice(set, daemon, events),
      ...createCommandsSlice(set),
      ...createRobotSlice(send, daemon),
      ...createMotorsSlice(set, daemon),
      ...createAppsSlice(send, daemon),
      ...createAppCommandsSlice(set, send, daemon),
      ...createOwnAppsSlice(send, daemon),
      ...createRunsSlice(set, daemon),
      ...createCrashesSlice(send, daemon),
      ...createOutputSlice(set, get, daemon),
      ...createVariablesSlice(set, send, daemon),
      ...createNeedsSlice(get, send, daemon),
      ...createStoreSlice(send, daemon),
      ...createFindSlice(daemon),
      ...createHubSlice(send, daemon),
      ...createDownloadCacheSlice(set, send, daemon),
      ...createStorageSlice(set, daemon),
      ...createSessionSlice(set, get, send, daemon),
      ...createNotificationsSlice(set, get, send, daemon),
      ...createCatalogSourceSlice(send, daemon),
      ...createVisitedSlice(set),
      ...createCompareSlice(set),
      ...createDeploySlice(set, get, send, daemon),
      ...createEndpointsSlice(set, get, send, daemon),
      ...createListedEndpointsSlice(set, daemon),
      ...createEndpointLogSlice(set, get, daemon),
      ...createRuntimesSlice(set, get, send, daemon),
      ...createModelFilesSlice(set, get, send, daemon),
      ...createJobsSlice(set, get, send, daemon),
      ...createAnswersSlice(set, get, daemon.call),
      call: daemon.call,
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

/** Loads skipped lines of output and of an open log. A failed load is retried when new lines arrive or the slot changes. */
export function fetchMissing(store: DashboardStore): void {
  store.subscribe((now, before) => {
    if (now.output !== before.output || now.slot !== before.slot) void now.fillOutput();
    if (now.openLog && (now.openLog.newest !== before.openLog?.newest || now.openLog.logId !== before.openLog.logId))
      void now.fillEndpointLog();
  });
}
