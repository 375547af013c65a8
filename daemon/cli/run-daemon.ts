import { createDaemon, type Daemon } from '../create-daemon.ts';
import type { DaemonOptions, RobotChoice } from '../daemon-options.ts';
import { DataFolderInUse } from '../shared/data-folder-lock.ts';
import { parseDaemonArguments, usage } from './daemon-arguments.ts';
import { projectResources, projectVersion } from './project.ts';
import { reportFailure } from './report-failure.ts';
import { runningDaemon } from './running-daemon.ts';

export interface RunDaemonOptions {
  readonly dashboard?: NonNullable<DaemonOptions['dashboard']>;
  /** Opens a browser, at an address that signs it in where the daemon is our own; else that is printed for a person. */
  readonly onReady?: (address: string) => void;
  /** A daemon that has the data folder already will do. */
  readonly orRunning?: boolean;
  /** What drives the robot's joints where the command line does not say; the real robot. */
  readonly otherwise?: RobotChoice;
}

/** Runs the daemon until SIGINT or SIGTERM. Ends the process with 2 for bad arguments, 1 when it cannot start. */
export async function runDaemon(argv: readonly string[], options: RunDaemonOptions = {}): Promise<void> {
  const { onReady, orRunning = false, otherwise, ...overrides } = options;
  try {
    const parsed = parseDaemonArguments(argv, otherwise);
    if (!parsed) {
      process.stdout.write(usage);
      return;
    }
    const version = await projectVersion();
    const daemon = createDaemon({
      ...parsed,
      ...overrides,
      version,
      resources: projectResources,
    });
    endOnSignals(daemon);
    await daemon.start();
    process.stdout.write(`Robot daemon ${version} is at ${daemon.url}/\n`);
    const address = daemon.newSignInUrl();
    if (onReady) onReady(address);
    else process.stdout.write(`To deploy models, sign in once at ${address}\n`);
  } catch (error) {
    const running = orRunning && error instanceof DataFolderInUse ? await runningDaemon(error) : null;
    if (running) {
      process.stdout.write(`A robot daemon runs already, at ${running.url}/\n`);
      onReady?.(`${running.url}/`);
      return;
    }
    reportFailure(error);
  }
}

/** The first signal stops in order, a second one at once; neither leaves an app running. */
function endOnSignals(daemon: Daemon): void {
  let signals = 0;
  const onSignal = () => {
    signals += 1;
    if (signals > 1) void daemon.kill().finally(() => process.exit(1));
    else void daemon.stop().then((inOrder) => process.exit(inOrder ? 0 : 1));
  };
  process.on('SIGHUP', onSignal); // the terminal was closed
  process.on('SIGXFSZ', () => {}); // a limit on the size of files: then the write fails, and says so
  process.stderr.on('error', () => {}); // or is gone: that is no reason to drop the robot
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
