import type { OperationName, operations } from '../contract/operations/operations.ts';

type Operations = typeof operations;
type Address<N extends OperationName> = `${Operations[N]['method']} ${Operations[N]['path']}`;
type Addresses = { readonly [N in OperationName]: readonly [Address<N>, deadlineMs: number | null] };

const USUAL_MS = 10_000;
/** The daemon asks the hub first. */
const HUB_MS = 40_000;
/** The daemon reads a whole list, from the hub or from the service that a catalog comes from. */
const READ_LIST_MS = 90_000;
/** A start waits at most 30 s for a robot that is coming up, and at most 20 s for the app that it replaces to be killed. */
const START_MS = 70_000;
/** A remote catalog deploys; the daemon must know first whether the endpoint was made. */
const DEPLOY_MS = 75_000;

/**
 * The address of every operation, and how long a client waits for its reply; null: as long as it takes.
 * They are written out, so that a page need not load the contract's schemas; the compiler compares them with the contract.
 */
const addresses = {
  getDaemonStatus: ['GET /api/daemon/status', USUAL_MS],
  watchEvents: ['GET /api/events', null],
  listApps: ['GET /api/apps/list', USUAL_MS],
  listSampleApps: ['GET /api/apps/samples', USUAL_MS],
  installApp: ['POST /api/apps/install', USUAL_MS],
  getStartupApp: ['GET /api/apps/startup-app', USUAL_MS],
  setStartupApp: ['PUT /api/apps/startup-app', USUAL_MS],
  checkForUpdates: ['POST /api/apps/check-for-updates', READ_LIST_MS],
  getApp: ['GET /api/apps/installed/{appName}', USUAL_MS],
  getAppDisk: ['GET /api/apps/installed/{appName}/disk', USUAL_MS],
  updateApp: ['POST /api/apps/installed/{appName}/update', USUAL_MS],
  rollBackApp: ['POST /api/apps/installed/{appName}/rollback', USUAL_MS],
  pinApp: ['PUT /api/apps/installed/{appName}/pin', USUAL_MS],
  removeApp: ['DELETE /api/apps/installed/{appName}', 40_000],
  listAppVariables: ['GET /api/apps/installed/{appName}/variables', USUAL_MS],
  setAppVariable: ['PUT /api/apps/installed/{appName}/variables/{variable}', USUAL_MS],
  removeAppVariable: ['DELETE /api/apps/installed/{appName}/variables/{variable}', USUAL_MS],
  startApp: ['POST /api/apps/start-app/{appName}', START_MS],
  stopCurrentApp: ['POST /api/apps/stop-current-app', null], // an app may take its time
  getAppSlot: ['GET /api/apps/slot', USUAL_MS],
  getAppOutput: ['GET /api/apps/output', USUAL_MS],
  restartCurrentApp: ['POST /api/apps/restart-current-app', START_MS],
  listRuns: ['GET /api/apps/runs', USUAL_MS],
  getRunOutput: ['GET /api/apps/runs/{runId}/output', USUAL_MS],
  listStore: ['GET /api/apps/store', USUAL_MS],
  refreshStore: ['POST /api/apps/store/refresh', READ_LIST_MS],
  getStoreApp: ['GET /api/apps/store/{owner}/{name}', HUB_MS],
  getHubAccount: ['GET /api/hub', USUAL_MS],
  signInToHub: ['PUT /api/hub/token', HUB_MS],
  signOutOfHub: ['DELETE /api/hub/token', USUAL_MS],
  listJobs: ['GET /api/jobs', USUAL_MS],
  getJob: ['GET /api/jobs/{jobId}', USUAL_MS],
  getJobLog: ['GET /api/jobs/{jobId}/log', USUAL_MS],
  cancelJob: ['POST /api/jobs/{jobId}/cancel', USUAL_MS],
  getRobot: ['GET /api/robot', USUAL_MS],
  wakeUpRobot: ['POST /api/robot/wake-up', USUAL_MS],
  putRobotToSleep: ['POST /api/robot/sleep', USUAL_MS],
  stopRobot: ['POST /api/robot/stop', USUAL_MS],
  gotoPosture: ['POST /api/robot/goto', null], // the caller says how long the motion takes
  setRobotTarget: ['POST /api/robot/set-target', USUAL_MS],
  listMotors: ['GET /api/robot/motors', USUAL_MS],
  setMotorTorque: ['POST /api/robot/motors/torque', USUAL_MS],
  touchAntenna: ['POST /api/robot/simulation/touch', USUAL_MS],
  setSimulatedFaults: ['PUT /api/robot/simulation/faults', USUAL_MS],
  listCatalogItems: ['GET /api/v1/catalog/list', USUAL_MS],
  deployCatalogModel: ['POST /api/v1/catalog/model/{author}/{model}/deploy', DEPLOY_MS],
  deployCatalogRecipe: ['POST /api/v1/catalog/recipe/{recipePublicId}/deploy', DEPLOY_MS],
  listEndpoints: ['GET /v2/endpoint/{namespace}', USUAL_MS],
  createEndpoint: ['POST /v2/endpoint/{namespace}', USUAL_MS],
  getEndpoint: ['GET /v2/endpoint/{namespace}/{name}', USUAL_MS],
  updateEndpoint: ['PUT /v2/endpoint/{namespace}/{name}', USUAL_MS],
  deleteEndpoint: ['DELETE /v2/endpoint/{namespace}/{name}', USUAL_MS],
  pauseEndpoint: ['POST /v2/endpoint/{namespace}/{name}/pause', USUAL_MS],
  resumeEndpoint: ['POST /v2/endpoint/{namespace}/{name}/resume', USUAL_MS],
  scaleEndpointToZero: ['POST /v2/endpoint/{namespace}/{name}/scale-to-zero', USUAL_MS],
  listHardware: ['GET /v2/provider/{namespace}', USUAL_MS],
  listCatalogRepositories: ['GET /api/catalog/repo-list', USUAL_MS],
  deployCatalogRepository: ['POST /api/catalog/deploy', DEPLOY_MS],
  whoAmI: ['GET /api/whoami-v2', USUAL_MS],
  listModels: ['GET /api/models', USUAL_MS],
  getModel: ['GET /api/models/{author}/{model}', USUAL_MS],
  listOwnEndpoints: ['GET /api/endpoints', USUAL_MS],
  getCatalogSource: ['GET /api/catalog-source', USUAL_MS],
  useRemoteCatalog: ['PUT /api/catalog-source', READ_LIST_MS],
  refreshCatalog: ['POST /api/catalog-source/refresh', READ_LIST_MS],
  useShippedCatalog: ['DELETE /api/catalog-source', USUAL_MS],
  getSession: ['GET /api/session', USUAL_MS],
  signIn: ['PUT /api/session', USUAL_MS],
  signOut: ['DELETE /api/session', USUAL_MS],
} as const satisfies Addresses;

export interface OperationAddress {
  readonly method: string;
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly deadlineMs: number | null;
}

export function addressOf(name: OperationName): OperationAddress {
  const [address, deadlineMs] = addresses[name];
  const [method = '', path = ''] = address.split(' ');
  return { method, path, deadlineMs };
}
