import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppPythons } from '../../apps/python/app-pythons.ts';
import { InstalledPythons } from '../../apps/python/installed-pythons.ts';
import { type InstallerChoice, PythonTools } from '../../apps/python/python-tools.ts';
import { readSdkVersion } from '../../apps/python/sdk-wheel.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { Clock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';

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

interface StandaloneOptions {
  readonly assetsDir: string;
  /** Holds the tools and the downloads of checks. */
  readonly cacheDir: string;
  /** The variables of the program itself. */
  readonly environment: NodeJS.ProcessEnv;
  /** The program of the wanted Python; null: looks for one. */
  readonly python: string | null;
  readonly installer?: InstallerChoice;
  readonly clock: Clock;
}

const INSTALL_WITHIN_MS = 30 * 60_000;
/** Marks the children of this program, so that a daemon does not take them for its own. */
const MARK = 'robot-app-assistant';

/** The checks of a program without a daemon. */
export async function createCheckDeps(options: StandaloneOptions): Promise<CheckDeps> {
  const { assetsDir, cacheDir, environment, python, installer = 'auto', clock } = options;
  const installerDir = join(assetsDir, 'installer');
  const sdkDir = join(assetsDir, 'python-sdk');
  const toolsDir = join(cacheDir, 'tools');
  const variables = () => childEnvironment(environment, MARK);
  const installed = new InstalledPythons(variables, toolsDir);
  const tools = new PythonTools({
    ...{ toolsDir, sdkDir, installerDir, installed, installer },
    wantedPython: python,
    childEnvironment: variables,
    onStatus: () => {},
    log: createLogger('warn'),
  });
  const sdkVersion = await readSdkVersion(sdkDir);
  return {
    sdkVersion: () => sdkVersion,
    tools,
    pythons: new AppPythons({ tools, installed, installerDir, childEnvironment: variables }),
    installerDir,
    cacheDir,
    cacheReady: async () => {},
    tempDir: tmpdir(),
    installWithinMs: INSTALL_WITHIN_MS,
    childEnvironment: variables,
    clock,
  };
}

/** Reports the progress of a full check or a publication; the steps are `checkSteps` and `publishSteps`. */
export type WorkProgress = Pick<JobProgress, 'signal' | 'step' | 'detail' | 'log'>;
