import { join } from 'node:path';
import envPaths from 'env-paths';

/** The paths of everything that outlives the daemon. */
export function dataPaths(root: string) {
  return {
    root,
    /** One folder per app; see apps/installed/installed-apps.ts. */
    apps: join(root, 'apps'),
    /** Work in progress of jobs; emptied at each start. */
    work: join(root, 'work'),
    /** The output of runs, one folder each. */
    runs: join(root, 'runs'),
    endpoints: join(root, 'endpoints'),
    /** The files of models, one copy for all endpoints. */
    models: join(root, 'models'),
    sockets: join(root, 'sockets'),
    /** Programs that serve models, downloaded on request. */
    runtimes: join(root, 'runtimes'),
    /** The installer's tools: pip, uv, the SDK's wheel. */
    tools: join(root, 'tools'),
    /** Downloads of installs, shared by all apps. */
    cache: join(root, 'cache'),
    jobsFile: join(root, 'jobs.json'),
    /** The runs of apps; see apps/run/run-history.ts. */
    runsFile: join(root, 'runs.json'),
    startupAppFile: join(root, 'startup-app.json'),
    /** A copy of the hub's list of apps. */
    storeFile: join(root, 'store.json'),
    /** The hub's token, encrypted. */
    hubTokenFile: join(root, 'hub-token.json'),
    tokensFile: join(root, 'tokens.json'),
    /** When tokens were used last. */
    tokenUsesFile: join(root, 'token-uses.json'),
    /** The key that encrypts secrets where the system has no keychain. */
    secretKeyFile: join(root, 'secret-key'),
    /** The process that holds the lock: its id and address. */
    instanceFile: join(root, 'daemon.json'),
    /** The news that the bell shows; see notifications/notifications.ts. */
    notificationsFile: join(root, 'notifications.json'),
    /** The mail server; its password encrypted. */
    mailFile: join(root, 'mail.json'),
    soundVolumeFile: join(root, 'sound-volume.json'),
    /** The folders of the apps that the user writes. */
    ownAppsFile: join(root, 'own-apps.json'),
    /** The container engines that may have containers of ours; see containers/running/container-register.ts. */
    containersFile: join(root, 'containers.json'),
    /** The memory that models used; see endpoints/measured-memory/memory-records.ts. */
    measuredMemoryFile: join(root, 'measured-memory.json'),
    /** How fast models were; see endpoints/speed-records.ts. */
    measuredSpeedFile: join(root, 'measured-speed.json'),
    /** The graphics cards, and whether models use them; see graphics-cards/graphics-cards.ts. */
    graphicsCardsFile: join(root, 'graphics-cards.json'),
    /** What graphics drivers have compiled for models. */
    shaderCache: join(root, 'shader-cache'),
    /** The address of a remote catalog, if one is used; its token encrypted. */
    catalogSourceFile: join(root, 'catalog-source.json'),
    /** A copy of the remote catalog, one item a line. */
    remoteCatalogFile: join(root, 'remote-catalog.jsonl'),
    /** The token for other machines, when the daemon listens for them. */
    accessTokenFile: join(root, 'access-token'),
    /** The signed-in browsers, hashed. */
    sessionsFile: join(root, 'sessions.json'),
    /** The newest code of `robot-daemon sign-in`, hashed. */
    signInCodeFile: join(root, 'sign-in-code.json'),
    /** The processes that lead groups of children; see shared/processes/leader-register.ts. */
    leadersFile: join(root, 'leaders.json'),
    /** The record of a guardian's rescue; see guardian/unexpected-end.ts. */
    unexpectedEndFile: join(root, 'unexpected-end.json'),
    lockFile: join(root, 'daemon.lock'),
  };
}
export type DataPaths = Readonly<ReturnType<typeof dataPaths>>;

/** The platform's folder for application data; `ROBOT_DATA_DIR` overrides it. */
export function defaultDataDir(): string {
  return process.env['ROBOT_DATA_DIR'] || platformDataDir();
}

/** The same without the override. */
export function platformDataDir(): string {
  return envPaths('robot-desktop', { suffix: '' }).data;
}
