import { mkdir } from 'node:fs/promises';
import { AppProcess, type AppProcessOptions, RUN_TOKEN_VARIABLE } from './app-process.ts';
import type { AppEnvironment } from './app-variables.ts';
import { AppNotStartable } from './errors.ts';
import { maskOf } from './run-mask.ts';
import type { RunUnderWay } from './run-under-way.ts';

/**
 * Makes the process of a run. What its user has set never takes the place of what the daemon tells it; secrets among that
 * are in nothing that is shown.
 * @throws AppNotStartable
 */
export async function launchRun(
  run: RunUnderWay,
  how: {
    python: string;
    workDir: string;
    /** What every child of the daemon gets. */
    environment: Readonly<Record<string, string>>;
    variables: AppEnvironment;
    daemonUrl: string;
    onLine: AppProcessOptions['onLine'];
  },
): Promise<AppProcess> {
  const { python, workDir, environment, variables, daemonUrl, onLine } = how;
  const { app, token } = run;
  const mask = maskOf(variables.secrets);
  try {
    await mkdir(workDir, { recursive: true });
    return await AppProcess.start({
      file: python,
      args: ['-u', '-m', app.module],
      cwd: workDir,
      env: {
        ...environment,
        ...variables.environment,
        [RUN_TOKEN_VARIABLE]: token,
        ROBOT_DAEMON_URL: daemonUrl,
        ROBOT_APP_NAME: app.name,
      },
      onLine: (stream, text, truncated) => onLine(stream, mask(text), truncated),
      mask,
    });
  } catch (error) {
    throw new AppNotStartable(app.name, error as Error);
  }
}
