import { createDaemon, type Daemon } from '../create-daemon.ts';
import type { DaemonOptions, RobotChoice } from '../daemon-options.ts';
import { GuardianKeeper } from '../guardian/guardian-keeper.ts';
import { guardAssignment, guardProgramIn, startGuardian } from '../guardian/guardian-process.ts';
import { systemClock } from '../shared/clock.ts';
import { DataFolderInUse } from '../shared/data-folder/data-folder-lock.ts';
import { createLogger } from '../shared/logger.ts';
import type { DaemonArguments } from './daemon-arguments.ts';
import { desktopOpener } from './desktop-opener.ts';
import { projectResources, projectVersion } from './project.ts';
import { runningDaemon } from './shared/holder.ts';
import { onEndSignals } from './shared/interruptible.ts';
import { print } from './shared/print.ts';
import { reportFailure } from './shared/report-failure.ts';
import { signInAddress, signInText } from './sign-in.ts';
import { storageText } from './status.ts';
import { terminalCall } from './terminal-commands.ts';

export interface RunDaemonOptions {
  /** The folder with package.json, assets and dist. */
  readonly projectDir: string;
  /** Serves the sources while they are developed; default: the built page. */
  readonly dashboard?: NonNullable<DaemonOptions['dashboard']>;
  /** The program that serves models; default: the built one. */
  readonly llamaRunner?: string;
  /**
   * Shows the dashboard at an address, which signs a browser in unless another process runs the daemon, and requires no
   * token. Default: prints the address.
   */
  readonly onReady?: (address: string) => void;
  /** Whether a daemon that already holds the data folder may be used instead. */
  readonly orRunning?: boolean;
  /** The robot backend unless the command line names one; default: the real robot. */
  readonly defaultRobot?: RobotChoice;
}

/** Runs the daemon until SIGINT or SIGTERM. Exit code 1: it could not start. */
export async function runDaemon(given: DaemonArguments, options: RunDaemonOptions): Promise<void> {
  const { projectDir, onReady, orRunning = false, dashboard } = options;
  // The daemon goes on without a terminal and without a reader of its output, such as `| head`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    const resources = projectResources(projectDir);
    const { llamaRunner = resources.llamaRunner } = options;
    await startDaemon(
      {
        ...given,
        ...(dashboard ? { dashboard } : { terminal: terminalCall(projectDir, given.dataDir) }),
        ...desktopOpener(process.env),
        resources: { ...resources, llamaRunner },
        version: await projectVersion(projectDir),
      },
      options,
    );
  } catch (error) {
    const taken = orRunning && error instanceof DataFolderInUse ? error : null;
    const running = taken && (await runningDaemon(taken));
    if (!running) return reportFailure(error);
    print(`A robot daemon already runs at ${running.url}/\n`);
    const address = running.token === undefined ? `${running.url}/` : await signInAddress(taken.paths, running.url);
    onReady?.(address);
  }
}

async function startDaemon(options: DaemonOptions, { projectDir, onReady }: RunDaemonOptions): Promise<void> {
  // Starts with the first model that would go on if this process is killed.
  const guardian = new GuardianKeeper({
    start: async () => {
      const program = guardProgramIn(projectDir, process.execPath);
      const { assetsDir } = options.resources;
      return program && startGuardian(program, await guardAssignment(options, { assetsDir, hasWindow: false }));
    },
    clock: systemClock,
    log: createLogger(options.logLevel),
  });
  const daemon = createDaemon({ ...options, guard: () => guardian.start() });
  stopOnSignals(daemon, guardian);
  await daemon.start();
  print(`Robot daemon ${options.version} is at ${daemon.url}/\n`);
  if (daemon.storageProblem) print(`${storageText(daemon.storageProblem)}\n`);
  const address = daemon.newSignInUrl();
  if (onReady) onReady(address);
  else print(`${signInText(options, address)}\n`);
}

/**
 * The first signal stops the daemon, a second one kills it; neither leaves an app running. After any end but one in order
 * the guardian takes over.
 */
function stopOnSignals(daemon: Daemon, guardian: GuardianKeeper): void {
  const stop = async () => {
    const isOrderly = await daemon.stop();
    if (isOrderly) await guardian.endedInOrder();
    process.exit(isOrderly ? 0 : 1);
  };
  let signals = 0;
  onEndSignals(() => {
    signals += 1;
    if (signals > 1) void daemon.kill().finally(() => process.exit(1));
    else void stop();
  });
  // It would end the process: a write over the file size limit.
  process.on('SIGXFSZ', () => {});
}
