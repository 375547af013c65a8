import { createDaemon, type Daemon } from '../create-daemon.ts';
import type { DaemonOptions, RobotChoice } from '../daemon-options.ts';
import { DataFolderInUse } from '../shared/data-folder/data-folder-lock.ts';
import { parseDaemonArguments, usage } from './daemon-arguments.ts';
import { projectResources, projectVersion } from './project.ts';
import { reportFailure } from './report-failure.ts';
import { runningDaemon } from './running-daemon.ts';

export interface RunDaemonOptions {
  /** The folder with package.json, assets and dist. */
  readonly projectDir: string;
  readonly dashboard?: NonNullable<DaemonOptions['dashboard']>;
  /** Shows the dashboard at an address, which signs a browser in if this daemon is ours; without it, it is printed. */
  readonly onReady?: (address: string) => void;
  /** Whether a daemon that has the data folder already will do. */
  readonly orRunning?: boolean;
  /** The driver of the robot's joints unless the command line names one; the real robot by default. */
  readonly otherwise?: RobotChoice;
}

/** Runs the daemon until SIGINT or SIGTERM. Ends the process with 2 for bad arguments, 1 when it cannot start. */
export async function runDaemon(argv: readonly string[], options: RunDaemonOptions): Promise<void> {
  const { projectDir, onReady, orRunning = false, otherwise, ...overrides } = options;
  try {
    const parsed = parseDaemonArguments(argv, otherwise);
    if (parsed) await startDaemon({ ...parsed, ...overrides, ...(await ownParts(projectDir)) }, onReady);
    else process.stdout.write(usage);
  } catch (error) {
    const running = orRunning && error instanceof DataFolderInUse ? await runningDaemon(error) : null;
    if (!running) return reportFailure(error);
    process.stdout.write(`A robot daemon runs already, at ${running.url}/\n`);
    onReady?.(`${running.url}/`);
  }
}

async function ownParts(projectDir: string): Promise<Pick<DaemonOptions, 'version' | 'resources'>> {
  return { version: await projectVersion(projectDir), resources: projectResources(projectDir) };
}

async function startDaemon(options: DaemonOptions, onReady: RunDaemonOptions['onReady']): Promise<void> {
  const daemon = createDaemon(options);
  endOnSignals(daemon);
  await daemon.start();
  process.stdout.write(`Robot daemon ${options.version} is at ${daemon.url}/\n`);
  const address = daemon.newSignInUrl();
  if (onReady) onReady(address);
  else process.stdout.write(`To deploy models, sign in once at ${address}\n`);
}

/** The first signal stops in order, a second one at once; neither leaves an app running. */
function endOnSignals(daemon: Daemon): void {
  let signals = 0;
  const onSignal = () => {
    signals += 1;
    if (signals > 1) void daemon.kill().finally(() => process.exit(1));
    else void daemon.stop().then((inOrder) => process.exit(inOrder ? 0 : 1));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  // The default action of both ends the process: a write over the limit on file sizes, and a terminal that was closed.
  process.on('SIGXFSZ', () => {});
  process.stderr.on('error', () => {});
}
