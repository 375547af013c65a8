import { execa } from 'execa';
import { systemClock } from '../shared/clock.ts';
import { type Instance, instanceIn, type SavedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { argumentsFor, parseSavedOptions } from './daemon-arguments.ts';
import { runDaemon } from './run-daemon.ts';
import { holderOf, runningDaemon } from './shared/holder.ts';
import { print } from './shared/print.ts';
import { endWithNotice } from './stop.ts';

const OPENS_WITHIN_MS = 30_000;

class WindowMissing extends DomainError {
  constructor(program: string, why: string) {
    super(`Robot Desktop is closed and could not be opened again (${program}: ${why}). Open it yourself.`);
  }
}

/** `robot-daemon restart` */
export async function restart(paths: DataPaths, projectDir: string): Promise<void> {
  const holder = await holderOf(paths);
  // Read before the stop: pages and programs expect the same address.
  const last = holder?.instance ?? (await instanceIn(paths));
  if (holder) await endWithNotice(holder, paths);
  const options = last ? optionsToRestart(last, paths) : { dataDir: paths.root };
  if (holder && last?.desktop) await openWindow(last.desktop, argumentsFor(options), paths);
  else await runDaemon(parseSavedOptions(options), { projectDir, orRunning: true });
}

/** The last daemon's options and address. */
function optionsToRestart({ options, url }: Instance, paths: DataPaths): SavedOptions {
  const port = Number(url && new URL(url).port) || options?.['port'];
  return { ...options, ...(port === undefined ? {} : { port }), dataDir: paths.root };
}

async function openWindow(desktop: readonly [string, ...string[]], args: string[], paths: DataPaths): Promise<void> {
  const [program, ...first] = desktop;
  const options = { detached: true, stdio: 'ignore', reject: false } as const;
  const child = execa(program, [...first, '--', ...args], options);
  let ended: string | null = null;
  void child.then(({ originalMessage, exitCode, signal }) => {
    ended = originalMessage ?? `ended with ${exitCode ?? signal}`;
  });
  const end = systemClock.elapsedMs() + OPENS_WITHIN_MS;
  while (ended === null && systemClock.elapsedMs() < end) {
    const running = await runningDaemon({ paths }, 1_000);
    if (!running) continue;
    child.nodeChildProcess.unref();
    print(`Robot Desktop is open again, at ${running.url}/\n`);
    return;
  }
  child.nodeChildProcess.unref();
  throw new WindowMissing(program, ended ?? 'it did not start in time');
}
