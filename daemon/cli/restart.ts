import { execa } from 'execa';
import { type Instance, instanceIn } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { commandArguments } from './command-arguments.ts';
import { argumentsFor } from './daemon-arguments.ts';
import { endDaemon } from './end-daemon.ts';
import { holderOf } from './holder.ts';
import { reportFailure } from './report-failure.ts';
import { runDaemon } from './run-daemon.ts';
import { runningDaemon } from './running-daemon.ts';
import { sayHowItEnded, sayWhatEnds } from './stop.ts';

const help = `Usage: robot-daemon restart [--data-dir <folder>]

Ends the daemon that has the data folder as "robot-daemon stop" does, even if it hangs, and starts one with the same
options at the same address. The new one runs in this terminal, until Ctrl-C. Where the daemon lives in the window of
Robot Desktop, that is closed and opened again instead. Where none runs, the last one's options are used.
Ends as the new daemon does; with 1 when the old one could not be ended, 2 for bad arguments.
`;

const OPENS_WITHIN_MS = 30_000;

/** The window could not be opened again. */
class WindowMissing extends DomainError {
  constructor(program: string, why: string) {
    super(`Robot Desktop was closed and could not be opened again (${program}: ${why}). Open it yourself.`);
  }
}

/** `robot-daemon restart` */
export async function restart(argv: readonly string[], projectDir: string): Promise<void> {
  try {
    const given = commandArguments(argv, help);
    if (!given) return;
    const { paths } = given;
    const holder = await holderOf(paths);
    // Read before the end: the same address is what pages and programs look for.
    const before = holder?.instance ?? (await instanceIn(paths));
    if (holder) {
      sayWhatEnds(holder);
      sayHowItEnded(await endDaemon(holder, paths));
    }
    const again = before ? argumentsToRestart(before, paths) : ['--data-dir', paths.root];
    if (holder && before?.desktop) await openWindow(before.desktop, again, paths);
    else await runDaemon(again, { projectDir, orRunning: true });
  } catch (error) {
    reportFailure(error);
  }
}

/** The command line for a daemon like the one before, at the address that it had. */
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
    process.stdout.write(`Robot Desktop is open again, at ${running.url}/\n`);
    return;
  }
  child.nodeChildProcess.unref();
  throw new WindowMissing(program, ended ?? 'it does not come up');
}
