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
  /** Which app starts by itself. */
  readonly startupAppFile: string;
  /** What the daemon installs apps with: pip, uv, the SDK's wheel. */
  readonly tools: string;
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
    startupAppFile: join(root, 'startup-app.json'),
    tools: join(root, 'tools'),
    lockFile: join(root, 'daemon.lock'),
    instanceFile: join(root, 'daemon.json'),
  };
}

/** The platform's place for data; `ROBOT_DATA_DIR` overrides it. */
export function defaultDataDir(): string {
  return process.env['ROBOT_DATA_DIR'] || envPaths('robot-desktop', { suffix: '' }).data;
}
