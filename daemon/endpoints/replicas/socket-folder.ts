import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazy } from '../../shared/async/lazy.ts';

/** A Unix socket's path has at most 103 bytes on macOS and 107 on Linux; a socket's name takes 14 of them. */
const LONGEST_BYTES = 88;

/** The folder of the sockets that replicas listen on. Only this user can enter it: the sockets have no other guard. */
export class SocketFolder {
  readonly #wanted: string;
  #made: string | null = null;
  /** Creates the folder at the first call, empty. @returns its path */
  readonly open = lazy(async () => {
    this.#made = await this.#make();
    return this.#made;
  });

  /** @param wanted its path, unless that is too long for a socket */
  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  async remove(): Promise<void> {
    if (this.#made !== null) await rm(this.#made, { recursive: true, force: true });
  }

  async #make(): Promise<string> {
    if (Buffer.byteLength(this.#wanted) > LONGEST_BYTES) return mkdtemp(join(tmpdir(), 'robot-sockets-'));
    await rm(this.#wanted, { recursive: true, force: true });
    await mkdir(this.#wanted, { recursive: true, mode: 0o700 });
    await chmod(this.#wanted, 0o700); // the mode above is subject to the umask
    return this.#wanted;
  }
}
