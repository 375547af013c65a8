import type { OperationName, operations } from '../contract/operations/operations.ts';

type Operations = typeof operations;
type Address<N extends OperationName> = `${Operations[N]['method']} ${Operations[N]['path']}`;
type Addresses = { readonly [N in OperationName]: readonly [Address<N>, deadlineMs: number | null] };

const DEFAULT_MS = 10_000;
/** The daemon asks the hub, or reads a large file, before it replies. */
const HUB_MS = 40_000;
/** The daemon reads a whole list from the hub or from a remote catalog. */
const READ_LIST_MS = 90_000;
/** A start waits at most 30 s for the robot and at most 20 s for the end of the app that it replaces. */
const START_MS = 70_000;
/** A remote catalog may deploy, and the daemon waits for its result. */
const DEPLOY_MS = 75_000;
/** Mails are sent one after the other, and a server may take its time for each. */
const MAIL_MS = 75_000;
/** A program is asked three times what it can do, at most 20 s each. */
const FIND_RUNTIMES_MS = 65_000;

/**
 * The address of every operation, and the deadline of its reply; null: none. They are written out so that a page need not
 * load the contract's schemas; the compiler compares them with the contract.
 */
const addresses = {
  getDaemonStatus: ['GET /api/daemon/status', DEFAULT_MS],
  getStorage: ['GET /api/daemon/storage', DEFAULT_MS],
  watchEvents: ['GET /api/events', null],
  listApps: ['GET /api/apps/list', DEFAULT_MS],
  listSampleApps: ['GET /api/apps/samples', DEFAULT_MS],
  installApp: ['POST /api/apps/install', DEFAULT_MS],
  getStartupApp: ['GET /api/apps/startup-app', DEFAULT_MS],
  setStartupApp: ['PUT /api/apps/startup-app', DEFAULT_MS],
  checkForUpdates: ['POST /api/apps/check-for-updates', READ_LIST_MS],
  getApp: ['GET /api/apps/installed/{appName}', DEFAULT_MS],
  getAppDisk: ['GET /api/apps/installed/{appName}/disk', DEFAULT_MS],
  getAppReadme: ['GET /api/apps/installed/{appName}/readme', DEFAULT_MS],
  getAppImage: ['GET /api/apps/installed/{appName}/image', HUB_MS],
  updateApp: ['POST /api/apps/installed/{appName}/update', DEFAULT_MS],
  rollBackApp: ['POST /api/apps/installed/{appName}/rollback', DEFAULT_MS],
  pinApp: ['PUT /api/apps/installed/{appName}/pin', DEFAULT_MS],
  removeApp: ['DELETE /api/apps/installed/{appName}', 40_000],
  listOwnApps: ['GET /api/apps/own', DEFAULT_MS],
  createOwnApp: ['POST /api/apps/own/create', DEFAULT_MS],
  addOwnApp: ['POST /api/apps/own', DEFAULT_MS],
  forgetOwnApp: ['DELETE /api/apps/own/{ownAppId}', DEFAULT_MS],
  checkOwnApp: ['POST /api/apps/own/{ownAppId}/check', DEFAULT_MS],
  fixOwnApp: ['POST /api/apps/own/{ownAppId}/fix', DEFAULT_MS],
  previewPublication: ['GET /api/apps/own/{ownAppId}/publication', READ_LIST_MS],
  publishOwnApp: ['POST /api/apps/own/{ownAppId}/publish', DEFAULT_MS],
  runOwnApp: ['POST /api/apps/own/{ownAppId}/run', DEFAULT_MS],
  stopOwnApp: ['POST /api/apps/own/{ownAppId}/stop', null], // an app may take its time
  openOwnApp: ['POST /api/apps/own/{ownAppId}/open', DEFAULT_MS],
  listAppVariables: ['GET /api/apps/installed/{appName}/variables', DEFAULT_MS],
  setAppVariable: ['PUT /api/apps/installed/{appName}/variables/{variable}', DEFAULT_MS],
  removeAppVariable: ['DELETE /api/apps/installed/{appName}/variables/{variable}', DEFAULT_MS],
  assignEndpoint: ['PUT /api/apps/installed/{appName}/needs/{need}', DEFAULT_MS],
  startApp: ['POST /api/apps/start-app/{appName}', START_MS],
  stopCurrentApp: ['POST /api/apps/stop-current-app', null], // an app may take its time
  getAppSlot: ['GET /api/apps/slot', DEFAULT_MS],
  getAppOutput: ['GET /api/apps/output', DEFAULT_MS],
  restartCurrentApp: ['POST /api/apps/restart-current-app', START_MS],
  listRuns: ['GET /api/apps/runs', DEFAULT_MS],
  listCrashes: ['GET /api/apps/crashes', DEFAULT_MS],
  markCrashSeen: ['POST /api/apps/runs/{runId}/seen', DEFAULT_MS],
  getRunOutput: ['GET /api/apps/runs/{runId}/output', DEFAULT_MS],
  getRunOutputFile: ['GET /api/apps/runs/{runId}/output/file', DEFAULT_MS],
  listStore: ['GET /api/apps/store', DEFAULT_MS],
  refreshStore: ['POST /api/apps/store/refresh', READ_LIST_MS],
  getStoreApp: ['GET /api/apps/store/{owner}/{name}', HUB_MS],
  getStoreAppImage: ['GET /api/apps/store/{owner}/{name}/image', HUB_MS],
  getHubAccount: ['GET /api/hub', DEFAULT_MS],
  signInToHub: ['PUT /api/hub/token', HUB_MS],
  signOutOfHub: ['DELETE /api/hub/token', DEFAULT_MS],
  listJobs: ['GET /api/jobs', DEFAULT_MS],
  getJob: ['GET /api/jobs/{jobId}', DEFAULT_MS],
  getJobLog: ['GET /api/jobs/{jobId}/log', DEFAULT_MS],
  cancelJob: ['POST /api/jobs/{jobId}/cancel', DEFAULT_MS],
  getDownloadCache: ['GET /api/download-cache', 60_000], // it may have very many files
  pruneDownloadCache: ['POST /api/download-cache/prune', 10 * 60_000],
  getRobot: ['GET /api/robot', DEFAULT_MS],
  wakeUpRobot: ['POST /api/robot/wake-up', DEFAULT_MS],
  putRobotToSleep: ['POST /api/robot/sleep', DEFAULT_MS],
  stopRobot: ['POST /api/robot/stop', DEFAULT_MS],
  gotoPosture: ['POST /api/robot/goto', null], // the caller sets the duration
  setRobotTarget: ['POST /api/robot/set-target', DEFAULT_MS],
  listMoves: ['GET /api/robot/moves', DEFAULT_MS],
  playMove: ['POST /api/robot/moves/{name}/play', DEFAULT_MS],
  listMotors: ['GET /api/robot/motors', DEFAULT_MS],
  setMotorTorque: ['POST /api/robot/motors/torque', DEFAULT_MS],
  startGoto: ['POST /api/move/goto', DEFAULT_MS],
  moveToTarget: ['POST /api/move/set_target', DEFAULT_MS],
  listMotions: ['GET /api/move/running', DEFAULT_MS],
  stopMotion: ['POST /api/move/stop', DEFAULT_MS],
  startMove: ['POST /api/move/play/recorded-move-dataset/{owner}/{dataset}/{name}', DEFAULT_MS],
  listMoveNames: ['GET /api/move/recorded-move-datasets/list/{owner}/{dataset}', DEFAULT_MS],
  startWakeUp: ['POST /api/move/play/wake_up', DEFAULT_MS],
  startSleep: ['POST /api/move/play/goto_sleep', DEFAULT_MS],
  getMotorMode: ['GET /api/motors/status', DEFAULT_MS],
  setMotorMode: ['POST /api/motors/set_mode/{mode}', DEFAULT_MS],
  getFullState: ['GET /api/state/full', DEFAULT_MS],
  getPresentHeadPose: ['GET /api/state/present_head_pose', DEFAULT_MS],
  getPresentBodyYaw: ['GET /api/state/present_body_yaw', DEFAULT_MS],
  getPresentAntennas: ['GET /api/state/present_antenna_joint_positions', DEFAULT_MS],
  getSoundDirection: ['GET /api/state/doa', DEFAULT_MS],
  getCurrentAppStatus: ['GET /api/apps/current-app-status', DEFAULT_MS],
  listInstalledApps: ['GET /api/apps/list-available/installed', DEFAULT_MS],
  getVolume: ['GET /api/volume/current', DEFAULT_MS],
  setVolume: ['POST /api/volume/set', DEFAULT_MS],
  touchAntenna: ['POST /api/robot/simulation/touch', DEFAULT_MS],
  setSimulatedFaults: ['PUT /api/robot/simulation/faults', DEFAULT_MS],
  listCatalogItems: ['GET /api/v1/catalog/list', DEFAULT_MS],
  deployCatalogModel: ['POST /api/v1/catalog/model/{author}/{model}/deploy', DEPLOY_MS],
  deployCatalogRecipe: ['POST /api/v1/catalog/recipe/{recipePublicId}/deploy', DEPLOY_MS],
  listEndpoints: ['GET /v2/endpoint/{namespace}', DEFAULT_MS],
  createEndpoint: ['POST /v2/endpoint/{namespace}', DEFAULT_MS],
  getEndpoint: ['GET /v2/endpoint/{namespace}/{name}', DEFAULT_MS],
  updateEndpoint: ['PUT /v2/endpoint/{namespace}/{name}', DEFAULT_MS],
  deleteEndpoint: ['DELETE /v2/endpoint/{namespace}/{name}', 40_000], // once its processes are gone and no request uses them
  pauseEndpoint: ['POST /v2/endpoint/{namespace}/{name}/pause', DEFAULT_MS],
  resumeEndpoint: ['POST /v2/endpoint/{namespace}/{name}/resume', DEFAULT_MS],
  scaleEndpointToZero: ['POST /v2/endpoint/{namespace}/{name}/scale-to-zero', DEFAULT_MS],
  listHardware: ['GET /v2/provider/{namespace}', DEFAULT_MS],
  listCatalogRepositories: ['GET /api/catalog/repo-list', DEFAULT_MS],
  deployCatalogRepository: ['POST /api/catalog/deploy', DEPLOY_MS],
  whoAmI: ['GET /api/whoami-v2', DEFAULT_MS],
  listModels: ['GET /api/models', DEFAULT_MS],
  getModel: ['GET /api/models/{author}/{model}', DEFAULT_MS],
  getModelDownloads: ['GET /api/models/{author}/{model}/downloads', DEFAULT_MS],
  listOwnEndpoints: ['GET /api/endpoints', DEFAULT_MS],
  getOwnEndpoint: ['GET /api/endpoints/{namespace}/{name}', DEFAULT_MS],
  getEndpointHistory: ['GET /api/endpoints/{namespace}/{name}/history', DEFAULT_MS],
  getEndpointLogFile: ['GET /api/endpoints/{namespace}/{name}/log/file', DEFAULT_MS],
  getEndpointLog: ['GET /api/endpoints/{namespace}/{name}/log', DEFAULT_MS],
  listRuntimes: ['GET /api/runtimes', FIND_RUNTIMES_MS],
  findRuntimes: ['POST /api/runtimes/refresh', FIND_RUNTIMES_MS],
  installLlamaServer: ['POST /api/runtimes/llama-server/install', DEFAULT_MS],
  getCatalogSource: ['GET /api/catalog-source', DEFAULT_MS],
  useRemoteCatalog: ['PUT /api/catalog-source', READ_LIST_MS],
  refreshCatalog: ['POST /api/catalog-source/refresh', READ_LIST_MS],
  useShippedCatalog: ['DELETE /api/catalog-source', DEFAULT_MS],
  listModelFiles: ['GET /api/model-files', DEFAULT_MS],
  removeModelFile: ['DELETE /api/model-files/{fileId}', DEFAULT_MS],
  checkModelFile: ['POST /api/model-files/check', HUB_MS],
  listNotices: ['GET /api/notifications', DEFAULT_MS],
  markNoticesSeen: ['POST /api/notifications/seen', DEFAULT_MS],
  markNoticeSeen: ['POST /api/notifications/{noticeId}/seen', DEFAULT_MS],
  clearNotices: ['DELETE /api/notifications', DEFAULT_MS],
  getMailSettings: ['GET /api/mail', DEFAULT_MS],
  setMailSettings: ['PUT /api/mail', DEFAULT_MS],
  removeMailSettings: ['DELETE /api/mail', DEFAULT_MS],
  sendTestMail: ['POST /api/mail/test', MAIL_MS],
  getSession: ['GET /api/session', DEFAULT_MS],
  signIn: ['PUT /api/session', DEFAULT_MS],
  signOut: ['DELETE /api/session', DEFAULT_MS],
  listSessions: ['GET /api/sessions', DEFAULT_MS],
  endSession: ['DELETE /api/sessions/{sessionId}', DEFAULT_MS],
  endOtherSessions: ['DELETE /api/sessions', DEFAULT_MS],
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
