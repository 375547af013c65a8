import { delimiter } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import { type BoundNeed, mustWait, type RunNeeds, WAKE_MS } from '../needs/run-needs.ts';
import type { AppVariables } from './app-variables.ts';
import { AppCannotStart } from './errors.ts';
import { AppProcess, type AppProcessOptions, RUN_TOKEN_VARIABLE } from './process/app-process.ts';
import { createMask } from './process/run-mask.ts';
import { READY_MS, type RunRobot, robotReady } from './robot-for-runs.ts';
import type { RunUnderWay } from './run-under-way.ts';

export interface LaunchDeps {
  readonly variables: Pick<AppVariables, 'environment'>;
  readonly needs: Pick<RunNeeds, 'untilReady' | 'environment'>;
  readonly robot: RunRobot;
  /** A process that cannot be recorded would outlive a killed daemon. @throws StorageError when nothing can be saved */
  readonly requireRoom: () => Promise<void>;
  /** Variables that every child process of the daemon gets. */
  readonly childEnvironment: () => Record<string, string>;
  readonly daemonUrl: () => string;
  readonly clock: Clock;
}

/**
 * Waits until the endpoints of a run can be used and the robot is awake, shows that in the slot, and starts the process.
 * The daemon's own variables take precedence over the user's; secrets are masked in output and command lines.
 * @throws EndpointNotReady, RobotUnavailable, VariablesDamaged, VariablesUnreadable, AppCannotStart, StorageError,
 * StartCancelled
 */
export async function launchRun(
  run: RunUnderWay,
  bound: readonly BoundNeed[],
  onLine: AppProcessOptions['onLine'],
  deps: LaunchDeps,
): Promise<AppProcess> {
  const { needs, robot, requireRoom, childEnvironment, daemonUrl, clock } = deps;
  const { app, token, startCancelled: signal } = run;
  const { python, workDir, folder } = run.launch;
  await needs.untilReady(app, bound, { signal, onWait: run.waits(WAKE_MS) });
  if (mustWait(bound)) await requireRoom(); // long after the first time
  const variables = await deps.variables.environment(app.name);
  await robotReady(clock, robot, { signal, onWait: run.waits(READY_MS) });
  run.waited();
  signal.throwIfAborted();
  const ofUser = { ...childEnvironment(), ...variables.environment };
  const ofFolder = folder ? folderVariables(folder.importRoot, ofUser['PYTHONPATH']) : {};
  const endpoints = needs.environment(app, bound, { ended: run.ended, pagePort: () => run.pagePort, others: ofUser });
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
        ROBOT_DAEMON_URL: daemonUrl(),
        ROBOT_APP_NAME: app.name,
      },
      onLine: (stream, text, truncated) => onLine(stream, mask(text, truncated), truncated),
      mask,
    });
  } catch (error) {
    throw error instanceof StorageError ? error : new AppCannotStart(app.name, error as Error);
  }
}

/**
 * Puts the author's folder first on the import path: without it, the installed package is imported. Nothing is compiled into
 * that folder; installed packages are compiled already.
 */
function folderVariables(importRoot: string, others: string | undefined): Record<string, string> {
  return {
    PYTHONPATH: others ? `${importRoot}${delimiter}${others}` : importRoot,
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
