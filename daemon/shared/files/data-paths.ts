import { join } from 'node:path';
import envPaths from 'env-paths';

/** Where everything that outlives the daemon is kept. */
export interface DataPaths {
  readonly root: string;
  /** One folder an app; see apps/installed-apps.ts. */
  readonly apps: string;
  /** The files of the jobs' work in progress; emptied at each start. */
  readonly work: string;
  readonly jobsFile: string;
  /** How the runs of apps went; see apps/run-history.ts. */
  readonly runsFile: string;
  /** What they have written: one folder a run. */
  readonly runs: string;
  /** Which app starts by itself. */
  readonly startupAppFile: string;
  /** The copy of the hub's list of apps. */
  readonly storeFile: string;
  /** The hub's token, encrypted. */
  readonly hubTokenFile: string;
  /** The endpoints of models, a file each. */
  readonly endpoints: string;
  /** Who may deploy: hashes of tokens. */
  readonly tokensFile: string;
  /** Where the catalog of models comes from, if it is not the shipped one; its token encrypted. */
  readonly catalogSourceFile: string;
  /** The copy of that catalog, an item a line. */
  readonly remoteCatalogFile: string;
  /** What secrets are encrypted with where the system has no keychain. */
  readonly secretKeyFile: string;
  /** What the daemon installs apps with: pip, uv, the SDK's wheel. */
  readonly tools: string;
  /** What installs have downloaded, shared by all apps. */
  readonly cache: string;
  readonly lockFile: string;
  /** Who holds the lock: process id and address. */
  readonly instanceFile: string;
}

export function dataPaths(root: string): DataPaths {
  return {
    root,
    apps: join(root, 'apps'),
    work: join(root, 'work'),
    jobsFile: join(root, 'jobs.json'),
    runsFile: join(root, 'runs.json'),
    runs: join(root, 'runs'),
    startupAppFile: join(root, 'startup-app.json'),
    storeFile: join(root, 'store.json'),
    hubTokenFile: join(root, 'hub-token.json'),
    endpoints: join(root, 'endpoints'),
    tokensFile: join(root, 'tokens.json'),
    catalogSourceFile: join(root, 'catalog-source.json'),
    remoteCatalogFile: join(root, 'remote-catalog.jsonl'),
    secretKeyFile: join(root, 'secret-key'),
    tools: join(root, 'tools'),
    cache: join(root, 'cache'),
    lockFile: join(root, 'daemon.lock'),
    instanceFile: join(root, 'daemon.json'),
  };
}

/** The platform's place for data; `ROBOT_DATA_DIR` overrides it. */
export function defaultDataDir(): string {
  return process.env['ROBOT_DATA_DIR'] || envPaths('robot-desktop', { suffix: '' }).data;
}
