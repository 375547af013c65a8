import type { OperationName, operations } from '../../daemon/contract/operations.ts';

type Operations = typeof operations;
type Addresses = { readonly [N in OperationName]: `${Operations[N]['method']} ${Operations[N]['path']}` };

/**
 * Where the operations are that the dashboard calls. Written out, so that a browser need not load every schema of the
 * contract before it shows anything; the compiler holds each one against the contract.
 */
const addresses = {
  watchEvents: 'GET /api/events',
  installApp: 'POST /api/apps/install',
  setStartupApp: 'PUT /api/apps/startup-app',
  checkForUpdates: 'POST /api/apps/check-for-updates',
  getAppDisk: 'GET /api/apps/installed/{appName}/disk',
  updateApp: 'POST /api/apps/installed/{appName}/update',
  rollBackApp: 'POST /api/apps/installed/{appName}/rollback',
  pinApp: 'PUT /api/apps/installed/{appName}/pin',
  removeApp: 'DELETE /api/apps/installed/{appName}',
  listAppVariables: 'GET /api/apps/installed/{appName}/variables',
  setAppVariable: 'PUT /api/apps/installed/{appName}/variables/{variable}',
  removeAppVariable: 'DELETE /api/apps/installed/{appName}/variables/{variable}',
  startApp: 'POST /api/apps/start-app/{appName}',
  stopCurrentApp: 'POST /api/apps/stop-current-app',
  restartCurrentApp: 'POST /api/apps/restart-current-app',
  getAppOutput: 'GET /api/apps/output',
  listRuns: 'GET /api/apps/runs',
  getRunOutput: 'GET /api/apps/runs/{runId}/output',
  listStore: 'GET /api/apps/store',
  refreshStore: 'POST /api/apps/store/refresh',
  getStoreApp: 'GET /api/apps/store/{owner}/{name}',
  signInToHub: 'PUT /api/hub/token',
  signOutOfHub: 'DELETE /api/hub/token',
  listJobs: 'GET /api/jobs',
  getJobLog: 'GET /api/jobs/{jobId}/log',
  cancelJob: 'POST /api/jobs/{jobId}/cancel',
  wakeUpRobot: 'POST /api/robot/wake-up',
  putRobotToSleep: 'POST /api/robot/sleep',
  stopRobot: 'POST /api/robot/stop',
  listMotors: 'GET /api/robot/motors',
  setMotorTorque: 'POST /api/robot/motors/torque',
  touchAntenna: 'POST /api/robot/simulation/touch',
  listModels: 'GET /api/models',
  getModel: 'GET /api/models/{author}/{model}',
  useRemoteCatalog: 'PUT /api/catalog-source',
  refreshCatalog: 'POST /api/catalog-source/refresh',
  useShippedCatalog: 'DELETE /api/catalog-source',
  getSession: 'GET /api/session',
  signIn: 'PUT /api/session',
  signOut: 'DELETE /api/session',
  deployCatalogRecipe: 'POST /api/v1/catalog/recipe/{recipePublicId}/deploy',
  listOwnEndpoints: 'GET /api/endpoints',
  pauseEndpoint: 'POST /v2/endpoint/{namespace}/{name}/pause',
  resumeEndpoint: 'POST /v2/endpoint/{namespace}/{name}/resume',
  scaleEndpointToZero: 'POST /v2/endpoint/{namespace}/{name}/scale-to-zero',
  deleteEndpoint: 'DELETE /v2/endpoint/{namespace}/{name}',
} as const satisfies Partial<Addresses>;

/** An operation that the dashboard calls. */
export type CallName = keyof typeof addresses;

/** Its path has `{name}` for each path parameter. */
export function addressOf(name: CallName): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = addresses[name].split(' ');
  return { method, path };
}
