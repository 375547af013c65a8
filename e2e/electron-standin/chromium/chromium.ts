import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { DevTools } from './devtools.ts';
import { startGroupMember } from './group-member.ts';
import { PageTargets } from './page-targets.ts';
import { chromiumSwitches } from './switches.ts';

/**
 * Runs Chromium in its own process group and profile. Its input ends when the main process closes it, or dies in
 * any way; then it kills the group and deletes the profile, again while a dying process still writes to it. A signal to
 * every process, as at the end of a session, does not keep it from that.
 */
const KEEPER = `
folder=$1; shift
trap : INT TERM HUP
mkdir -m 700 "$folder" && mkdir "$folder/tmp" || exit
export TMPDIR="$folder/tmp" XDG_CONFIG_HOME="$folder/tmp" XDG_CACHE_HOME="$folder/tmp"
setsid "$@" < /dev/null &
exec 2> /dev/null 3>&- 4>&-
cat > /dev/null
kill -KILL "-$!"
wait
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$folder" && exit
  sleep 0.1
done`;

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium with a profile that lives as long as it does. */
export class Chromium {
  readonly devTools: DevTools;
  readonly targets: PageTargets;
  /** Settles when Chromium has ended, or a signal to the main process's group has reached its processes. */
  readonly ended: Promise<void>;
  /** In the profile. Chromium puts files here, each named by its id, until the app says where they go. */
  readonly downloadFolder: string;
  readonly #keeper: ChildProcess;

  private constructor(devTools: DevTools, keeper: ChildProcess, folder: string) {
    this.devTools = devTools;
    this.targets = new PageTargets(devTools);
    this.ended = Promise.race([devTools.closed, startGroupMember()]);
    this.#keeper = keeper;
    this.downloadFolder = join(folder, 'downloads');
  }

  /** @throws Error when it does not start; Chromium has written the cause to stderr */
  static async start(switches: readonly string[]): Promise<Chromium> {
    // Short: Chromium puts sockets into it, whose paths are limited.
    const folder = join(tmpdir(), `electron-${randomBytes(4).toString('hex')}`);
    const program = findProgram();
    const keeper = spawn('/bin/sh', ['-c', KEEPER, 'sh', folder, program, ...chromiumSwitches(folder, switches)], {
      stdio: ['pipe', 'ignore', 'inherit', 'pipe', 'pipe'],
      detached: true, // it outlives a signal to the main process's group
    });
    const devTools = new DevTools(keeper.stdio[3] as Writable, keeper.stdio[4] as Readable);
    const chromium = new Chromium(devTools, keeper, folder);
    await chromium.targets.start().catch((cause: unknown) => {
      throw new Error(`Chromium did not start from ${program}.`, { cause });
    });
    return chromium;
  }

  /** Settles when all its processes and its profile are gone. */
  async close(): Promise<void> {
    const exited = once(this.#keeper, 'exit');
    this.#keeper.stdin?.end();
    await exited;
  }
}

function findProgram(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders
    .flatMap((folder) => PROGRAMS.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (!found) throw new Error('The Electron stand-in needs Chromium. Install it, or name it in CHROMIUM_PATH.');
  return found;
}
