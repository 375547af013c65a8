/** The folder of Chromium's profile, and what removes it if this process is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Waits until its input ends, which happens however the main process ends, then ends Chromium's process group and
 * removes the folder; again while the group is still writing to it.
 */
const WATCH = `
read -r group
cat > /dev/null
[ -z "$group" ] || kill -KILL -- "-$group"
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$1" && exit
  sleep 0.1
done`;

export class ProfileGuard {
  readonly folder = mkdtempSync(join(tmpdir(), 'electron-stand-in-'));
  /** Chromium's TMPDIR: it leaves sockets there when it is killed. */
  readonly temporaryFolder = join(this.folder, 'tmp');
  readonly #watcher: ChildProcess;
  #group: number | null = null;

  constructor() {
    mkdirSync(this.temporaryFolder);
    const stdio = ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore'];
    // In a session of its own, as whoever kills this process may kill its whole group.
    this.#watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', this.folder], { stdio, detached: true });
    this.#watcher.unref();
    process.once('exit', () => this.#removeNow());
  }

  /** From now on the group of this process is ended too. */
  watch(pid: number): void {
    this.#group = pid;
    this.#watcher.stdin?.write(`${pid}\n`);
  }

  /** Leaves nothing, the watcher included. */
  async remove(browserExited: Promise<void>): Promise<void> {
    this.#killGroup();
    await browserExited;
    this.#removeNow();
    const watcherExited = this.#watcher.exitCode === null ? once(this.#watcher, 'exit') : null;
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
