/** The folder of Chromium's profile, and what removes it if this process is killed. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyLives } from './live-processes.ts';

/**
 * Waits until its input ends, which happens however the main process ends, then ends Chromium's process group and
 * removes the folder; again if something that was just ending has written to it. The folder is renamed first: whoever
 * has not entered its group there by then cannot start any more.
 */
const WATCH = `
cat > /dev/null
mv "$1" "$1.gone" || exit
read -r group < "$1.gone/group" && kill -KILL "-$group"
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$1" "$1.gone"
  sleep 0.1
  [ -e "$1" ] || [ -e "$1.gone" ] || exit
done`;

/** Runs a program, if it could say in the folder, and not in a renamed one, which process group is to be ended. */
const ENTER_AND_RUN = 'echo $$ > "$0/group" && [ -e "$0/group" ] && exec "$@"';

/** How long the processes of Chromium, which were killed, may take to be gone. */
const GONE_MS = 1_000;

export class ProfileGuard {
  readonly folder = join(tmpdir(), `electron-stand-in-${randomBytes(4).toString('hex')}`);
  /** For the sockets that Chromium leaves when it is killed, and what it puts into the home folder else. */
  readonly #temporaryFolder = join(this.folder, 'tmp');
  readonly #watcher: ChildProcess;
  #group: number | null = null;

  constructor() {
    const stdio = ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore'];
    // In a session of its own, as whoever kills this process may kill its whole group.
    this.#watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', this.folder], { stdio, detached: true });
    this.#watcher.unref();
    mkdirSync(this.folder, { mode: 0o700 }); // after the watcher, which is never too late then
    mkdirSync(this.#temporaryFolder);
    process.once('exit', () => this.#removeNow());
  }

  /** Starts a program that ends with this process, however this process ends. */
  spawn(program: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
    const place = this.#temporaryFolder;
    const env = { ...process.env, TMPDIR: place, XDG_CONFIG_HOME: place, XDG_CACHE_HOME: place };
    const script = ['-c', ENTER_AND_RUN, this.folder, program, ...args];
    const child = spawn('/bin/sh', script, { stdio, detached: true, env });
    this.#group = child.pid ?? null;
    return child;
  }

  /** Leaves nothing, the watcher included. */
  async remove(browserExited: Promise<void>): Promise<void> {
    this.#killGroup();
    await browserExited;
    const deadline = performance.now() + GONE_MS;
    while (anyLives(this.#group ?? -1, this.#temporaryFolder) && performance.now() < deadline) await sleep(5);
    this.#removeNow();
    const watcherExited = this.#watcher.exitCode === null ? once(this.#watcher, 'exit') : null;
    this.#watcher.ref();
    this.#watcher.stdin?.end();
    await watcherExited;
  }

  #killGroup(): void {
    try {
      if (this.#group !== null) process.kill(-this.#group, 'SIGKILL');
    } catch {
      // gone already
    }
  }

  #removeNow(): void {
    this.#killGroup();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
  }
}
