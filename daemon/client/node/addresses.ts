import { type OperationName, operations } from '../../contract/operations/operations.ts';

/** The method and the path of every operation, `GET /api/jobs/{jobId}`. The build of the page writes them into it. */
export const addresses = Object.fromEntries(
  Object.entries(operations).map(([name, { method, path }]) => [name, `${method} ${path}`]),
) as Readonly<Record<OperationName, string>>;

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

/** An app may have saved very many files. */
const RESET_MS = 60_000;

/** The driver of the graphics cards is asked for all of them, and then for each, at most 20 s each time. */
const ASK_CARDS_MS = 65_000;

/** The deadlines of the operations whose reply may take longer; null: none. */
const deadlines: Partial<Record<OperationName, number | null>> = {
  watchEvents: null,
  checkForUpdates: READ_LIST_MS,
  getAppImage: HUB_MS,
  removeApp: 40_000,
  getAppReset: RESET_MS,
  resetApp: RESET_MS,
  undoAppReset: RESET_MS,
  previewPublication: READ_LIST_MS,
  stopOwnApp: null, // an app may take its time
  startApp: START_MS,
  stopCurrentApp: null, // an app may take its time
  restartCurrentApp: START_MS,
  refreshStore: READ_LIST_MS,
  getStoreApp: HUB_MS,
  getStoreAppImage: HUB_MS,
  signInToHub: HUB_MS,
  getDownloadCache: 60_000, // it may have very many files
  pruneDownloadCache: 10 * 60_000,
  gotoPosture: null, // the caller sets the duration
  deployCatalogModel: DEPLOY_MS,
  deployCatalogRecipe: DEPLOY_MS,
  deleteEndpoint: 40_000, // once its processes are gone and no request uses them
  deployCatalogRepository: DEPLOY_MS,
  listRuntimes: FIND_RUNTIMES_MS,
  findRuntimes: FIND_RUNTIMES_MS,
  listGraphicsCards: ASK_CARDS_MS,
  switchGraphicsCards: ASK_CARDS_MS,
  tryGraphicsCardsAgain: ASK_CARDS_MS,
  useRemoteCatalog: READ_LIST_MS,
  refreshCatalog: READ_LIST_MS,
  checkModelFile: HUB_MS,
  sendTestMail: MAIL_MS,
};

/** The deadline of an operation's reply, in milliseconds; null: none. */
export function deadlineOf(name: OperationName): number | null {
  const own = deadlines[name];
  return own === undefined ? DEFAULT_MS : own;
}
