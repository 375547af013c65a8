import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppPythons } from '../../../apps/python/app-pythons.ts';
import type { PythonTools } from '../../../apps/python/python-tools.ts';
import type { Clock } from '../../../shared/clock.ts';

/** The collaborators of a check. */
export interface CheckDeps {
  /** `1.0.0` */
  readonly sdkVersion: () => string;
  readonly tools: PythonTools;
  readonly pythons: AppPythons;
  /** Holds the Python programs that read, build and load apps. */
  readonly installerDir: string;
  /** Holds downloads for later installs. */
  readonly cacheDir: string;
  /** Resolves when the downloads may be used. */
  readonly cacheReady: () => Promise<void>;
  /** The folder in which a check makes its own, which it removes. */
  readonly tempDir: string;
  /** Time limit for the build of an environment, downloads included. */
  readonly installWithinMs: number;
  readonly childEnvironment: () => Record<string, string>;
  readonly clock: Clock;
}

/** The parts of the daemon with which it checks apps. */
export interface DaemonParts
  extends Pick<CheckDeps, 'sdkVersion' | 'tools' | 'pythons' | 'installWithinMs' | 'childEnvironment' | 'clock'> {
  readonly assetsDir: string;
  readonly cacheDir: string;
  readonly downloadCaches: { ready(): Promise<void> };
}

/** The checks of a daemon, which share its tools and downloads. */
export function checkDepsOf({ assetsDir, downloadCaches, ...parts }: DaemonParts): CheckDeps {
  return {
    ...parts,
    installerDir: join(assetsDir, 'installer'),
    cacheReady: () => downloadCaches.ready(),
    tempDir: tmpdir(),
  };
}
