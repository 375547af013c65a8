import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DaemonClient } from '../../daemon/client/calls.ts';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { createJobsSlice, type JobsSlice, jobsAfter } from '../features/activity/jobs-slice.ts';
import { type AppOrdersSlice, appOrdersAfter, createAppOrdersSlice } from '../features/apps/app-orders-slice.ts';
import { type AppsSlice, appsAfter, createAppsSlice } from '../features/apps/apps-slice.ts';
import { createOutputSlice, type OutputSlice, outputAfter } from '../features/apps/output-slice.ts';
import { createRunsSlice, type RunsSlice, runsAfter } from '../features/apps/runs-slice.ts';
import { createVariablesSlice, type VariablesSlice } from '../features/apps/variables-slice.ts';
import {
  type ConnectionSlice,
  connectionAfter,
  createConnectionSlice,
} from '../features/connection/connection-slice.ts';
import { createEndpointsSlice, type EndpointsSlice, endpointsAfter } from '../features/endpoints/endpoints-slice.ts';
import {
  type CatalogSourceSlice,
  catalogSourceAfter,
  createCatalogSourceSlice,
} from '../features/models/catalog-source-slice.ts';
import { createDeploySlice, type DeploySlice } from '../features/models/deploy-slice.ts';
import { createModelsSlice, type ModelsSlice } from '../features/models/models-slice.ts';
import { createMotorsSlice, type MotorsSlice } from '../features/robot/motors-slice.ts';
import { createRobotSlice, type RobotSlice, robotAfter } from '../features/robot/robot-slice.ts';
import { createSessionSlice, type SessionSlice } from '../features/session/session-slice.ts';
import { createHubSlice, type HubSlice, hubAfter } from '../features/settings/hub-slice.ts';
import { createStoreSlice, type StoreSlice, storeAfter } from '../features/store/store-slice.ts';

export interface Dashboard
  extends ConnectionSlice,
    RobotSlice,
    MotorsSlice,
    AppsSlice,
    AppOrdersSlice,
    RunsSlice,
    OutputSlice,
    VariablesSlice,
    StoreSlice,
    HubSlice,
    SessionSlice,
    CatalogSourceSlice,
    ModelsSlice,
    DeploySlice,
    EndpointsSlice,
    JobsSlice {
  /** The one way in which what the daemon owns gets here. Applying an event twice is harmless. */
  readonly apply: (event: DaemonEvent) => void;
}

export type DashboardStore = StoreApi<Dashboard>;

export interface DashboardDeps {
  readonly daemon: DaemonClient;
  readonly events: { retryNow(): void };
}

export function createDashboardStore({ daemon, events }: DashboardDeps): DashboardStore {
  return createStore<Dashboard>()((set, get) => ({
    ...createConnectionSlice(set, events),
    ...createRobotSlice(set, daemon),
    ...createMotorsSlice(set, daemon),
    ...createAppsSlice(set, daemon),
    ...createAppOrdersSlice(set, daemon),
    ...createRunsSlice(set, daemon),
    ...createOutputSlice(set, get, daemon),
    ...createVariablesSlice(set, daemon),
    ...createStoreSlice(set, get, daemon),
    ...createHubSlice(set, daemon),
    ...createSessionSlice(set, daemon),
    ...createCatalogSourceSlice(set, daemon),
    ...createModelsSlice(set, get, daemon),
    ...createDeploySlice(set, get, daemon),
    ...createEndpointsSlice(set, get, daemon),
    ...createJobsSlice(set, daemon),
    apply(event) {
      set((before) => ({
        ...connectionAfter(event),
        ...robotAfter(before, event),
        ...appsAfter(before, event),
        ...appOrdersAfter(event),
        ...runsAfter(before, event),
        ...outputAfter(before, event),
        ...storeAfter(event),
        ...hubAfter(event),
        ...catalogSourceAfter(event),
        ...endpointsAfter(event),
        ...jobsAfter(before, event),
      }));
      if (event.type === 'robot.pose') return;
      void get().fillOutput();
      void get().fillStore();
    },
  }));
}
