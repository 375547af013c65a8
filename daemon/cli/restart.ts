import { execa } from 'execa';
import { type Instance, instanceIn } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { argumentsFor } from './daemon-arguments.ts';
import { endDaemon } from './end-daemon.ts';
import { runDaemon } from './run-daemon.ts';
import { runningDaemon } from './running-daemon.ts';
import { commandArguments } from './shared/command-arguments.ts';
import { holderOf } from './shared/holder.ts';
import { print } from './shared/print.ts';
import { reportFailure } from './shared/report-failure.ts';
import { printStopped, printStopping } from './stop.ts';

const help = `Usage: robot-daemon restart [--data-dir <folder>]

Stops the daemon like "robot-daemon stop", even if it hangs, and starts one with the same options at the same address.
The new one runs in this terminal until Ctrl-C; if the old one had the window of Robot Desktop, the window opens again.
If no daemon runs, the options of the last one apply.

Exit codes: that of the new daemon; 1 the old one could not be stopped, 2 bad arguments.
`;

const OPENS_WITHIN_MS = 30_000;

class WindowMissing extends DomainError {
  constructor(program: string, why: string) {
    super(`Robot Desktop is closed and could not be opened again (${program}: ${why}). Open it yourself.`);
  }
}

/** `robot-daemon restart` */
export async function restart(argv: readonly string[], projectDir: string): Promise<void> {
  try {
    const given = commandArguments(argv, help);
    if (!given) return;
    const { paths } = given;
    const holder = await holderOf(paths);
    // Read before the stop: pages and programs expect the same address.
    const last = holder?.instance ?? (await instanceIn(paths));
    if (holder) {
      printStopping(holder);
      printStopped(await endDaemon(holder, paths));
    }
    const args = last ? argumentsToRestart(last, paths) : ['--data-dir', paths.root];
    if (holder && last?.desktop) await openWindow(last.desktop, args, paths);
    else await runDaemon(args, { projectDir, orRunning: true });
  } catch (error) {
    reportFailure(error);
  }
}

/** @returns the command line for a daemon with the last one's options and address */
function argumentsToRestart({ options, url }: Instance, paths: DataPaths): string[] {
  const port = Number(url && new URL(url).port) || options?.['port'];
  return argumentsFor({ ...options, ...(port === undefined ? {} : { port }), dataDir: paths.root });
}

async function openWindow(desktop: readonly [string, ...string[]], args: string[], paths: DataPaths): Promise<void> {
  const [program, ...first] = desktop;
  const options = { detached: true, stdio: 'ignore', reject: false } as const;
  const child = execa(program, [...first, '--', ...args], options);
  let ended: string | null = null;
  void child.then(({ originalMessage, exitCode, signal }) => {
    ended = originalMessage ?? `ended with ${exitCode ?? signal}`;
  });
  const end = performance.now() + OPENS_WITHIN_MS;
  while (ended === null && performance.now() < end) {
    const running = await runningDaemon({ paths }, 1_000);
    if (!running) continue;
    child.nodeChildProcess.unref();
    print(`Robot Desktop is open again, at ${running.url}/\n`);
    return;
  }
  child.nodeChildProcess.unref();
  throw new WindowMissing(program, ended ?? 'it did not start in time');
}
