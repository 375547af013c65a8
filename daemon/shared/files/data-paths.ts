import { join } from 'node:path';
import envPaths from 'env-paths';

/** The paths of everything that outlives the daemon. */
export interface DataPaths {
  readonly root: string;
  /** One folder per app; see apps/installed/installed-apps.ts. */
  readonly apps: string;
  /** Work in progress of jobs; emptied at each start. */
  readonly work: string;
  readonly jobsFile: string;
  /** The runs of apps; see apps/run/run-history.ts. */
  readonly runsFile: string;
  /** The output of runs, one folder each. */
  readonly runs: string;
  readonly startupAppFile: string;
  /** The folders of the apps that the user writes. */
  readonly ownAppsFile: string;
  readonly soundVolumeFile: string;
  /** A copy of the hub's list of apps. */
  readonly storeFile: string;
  /** The hub's token, encrypted. */
  readonly hubTokenFile: string;
  /** The endpoints, one file each. */
  readonly endpoints: string;
  /** The files of models, one copy for all endpoints. */
  readonly models: string;
  /** The memory that models used; see endpoints/measured-memory/memory-records.ts. */
  readonly measuredMemoryFile: string;
  /** The sockets of endpoints' processes. */
  readonly sockets: string;
  /** Programs that serve models, downloaded on request. */
  readonly runtimes: string;
  /** The container engines that may have containers of ours; see containers/container-register.ts. */
  readonly containersFile: string;
  /** Access tokens, hashed. */
  readonly tokensFile: string;
  /** The signed-in browsers, hashed. */
  readonly sessionsFile: string;
  /** The newest code of `robot-daemon sign-in`, hashed. */
  readonly signInCodeFile: string;
  /** The token for other machines, when the daemon listens for them. */
  readonly accessTokenFile: string;
  /** The address of a remote catalog, if one is used; its token encrypted. */
  readonly catalogSourceFile: string;
  /** The news that the bell shows; see notifications/notifications.ts. */
  readonly notificationsFile: string;
  /** The mail server; its password encrypted. */
  readonly mailFile: string;
  /** A copy of the remote catalog, one item a line. */
  readonly remoteCatalogFile: string;
  /** The key that encrypts secrets where the system has no keychain. */
  readonly secretKeyFile: string;
  /** The installer's tools: pip, uv, the SDK's wheel. */
  readonly tools: string;
  /** Downloads of installs, shared by all apps. */
  readonly cache: string;
  readonly lockFile: string;
  /** The process that holds the lock: its id and address. */
  readonly instanceFile: string;
  /** The record of a guardian's rescue; see guardian/unexpected-end.ts. */
  readonly unexpectedEndFile: string;
}

export function dataPaths(root: string): DataPaths {
  return {
    root,
    apps: join(root, 'apps'),
    work: join(root, 'work'),
    jobsFile: join(root, 'jobs.json'),
    runsFile: join(root, 'runs.json'),
    runs: join(root, 'runs'),
    ownAppsFile: join(root, 'own-apps.json'),
    startupAppFile: join(root, 'startup-app.json'),
    soundVolumeFile: join(root, 'sound-volume.json'),
    storeFile: join(root, 'store.json'),
    hubTokenFile: join(root, 'hub-token.json'),
    endpoints: join(root, 'endpoints'),
    models: join(root, 'models'),
    measuredMemoryFile: join(root, 'measured-memory.json'),
    sockets: join(root, 'sockets'),
    runtimes: join(root, 'runtimes'),
    containersFile: join(root, 'containers.json'),
    tokensFile: join(root, 'tokens.json'),
    sessionsFile: join(root, 'sessions.json'),
    signInCodeFile: join(root, 'sign-in-code.json'),
    accessTokenFile: join(root, 'access-token'),
    catalogSourceFile: join(root, 'catalog-source.json'),
    notificationsFile: join(root, 'notifications.json'),
    mailFile: join(root, 'mail.json'),
    remoteCatalogFile: join(root, 'remote-catalog.jsonl'),
    secretKeyFile: join(root, 'secret-key'),
    tools: join(root, 'tools'),
    cache: join(root, 'cache'),
    lockFile: join(root, 'daemon.lock'),
    instanceFile: join(root, 'daemon.json'),
    unexpectedEndFile: join(root, 'unexpected-end.json'),
  };
}

/** The platform's folder for application data; `ROBOT_DATA_DIR` overrides it. */
export function defaultDataDir(): string {
  return process.env['ROBOT_DATA_DIR'] || platformDataDir();
}

/** The same without the override. */
export function platformDataDir(): string {
  return envPaths('robot-desktop', { suffix: '' }).data;
}
