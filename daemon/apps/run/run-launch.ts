import { delimiter } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import type { NeedsEnvironment } from '../needs/needs-environment.ts';
import type { AppEnvironment } from './app-variables.ts';
import { AppNotStartable } from './errors.ts';
import { AppProcess, type AppProcessOptions, RUN_TOKEN_VARIABLE } from './process/app-process.ts';
import { createMask } from './process/run-mask.ts';
import type { RunUnderWay } from './run-under-way.ts';

/**
 * Starts the process of a run. The daemon's own variables take precedence over the user's; secrets are masked in output
 * and command lines.
 * @throws AppNotStartable, StorageError
 */
export async function launchRun(
  run: RunUnderWay,
  how: {
    clock: Clock;
    python: string;
    workDir: string;
    /** Variables that every child process of the daemon gets. */
    environment: Readonly<Record<string, string>>;
    variables: AppEnvironment;
    /** The folder that comes first on the import path; default: what was installed is imported. */
    importRoot: string | undefined;
    /** The variables for the endpoints of the run. @param others the other variables of the run */
    endpoints: (others: Readonly<Record<string, string>>) => NeedsEnvironment;
    daemonUrl: string;
    onLine: AppProcessOptions['onLine'];
  },
): Promise<AppProcess> {
  const { clock, python, workDir, environment, variables, importRoot, daemonUrl, onLine } = how;
  const { app, token } = run;
  const ofUser = { ...environment, ...variables.environment };
  const ofFolder = importRoot === undefined ? {} : folderVariables(importRoot, ofUser['PYTHONPATH']);
  const endpoints = how.endpoints(ofUser);
  const mask = createMask([...variables.secrets, ...endpoints.secrets]);
  try {
    await makeFolder(workDir);
    return await AppProcess.start({
      clock,
      file: python,
      args: ['-u', '-m', app.module],
      cwd: workDir,
      env: {
        ...ofUser,
        ...endpoints.environment,
        ...ofFolder,
        [RUN_TOKEN_VARIABLE]: token,
        ROBOT_DAEMON_URL: daemonUrl,
        ROBOT_APP_NAME: app.name,
      },
      onLine: (stream, text, truncated) => onLine(stream, mask(text, truncated), truncated),
      mask,
    });
  } catch (error) {
    throw error instanceof StorageError ? error : new AppNotStartable(app.name, error as Error);
  }
}

/** Nothing is compiled into the author's folder. Installed packages are compiled already. */
function folderVariables(importRoot: string, others: string | undefined): Record<string, string> {
  return {
    PYTHONPATH: others ? `${importRoot}${delimiter}${others}` : importRoot,
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
