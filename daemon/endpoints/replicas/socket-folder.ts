import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mutex } from '../../shared/async/mutex.ts';
import { pathExists } from '../../shared/async/succeeds.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';

/** A Unix socket's path has at most 103 bytes on macOS and 107 on Linux; `/<id>.sock` takes 14 of them. */
const LONGEST_BYTES = 88;

/** The folder of the sockets that replicas listen on. Only this user can enter it: the sockets have no other guard. */
export class SocketFolder {
  readonly #wanted: string;
  readonly #making = new Mutex();
  #made: string | null = null;

  /** @param wanted its path, unless that is too long for a socket */
  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /**
   * The path of a socket for a new replica; on Windows of a named pipe, which lies in no folder. Creates the folder, empty,
   * at the first call and after somebody has removed it.
   * @param id 8 characters that no other replica has
   */
  async pathFor(id: string): Promise<string> {
    return process.platform === 'win32' ? `\\\\.\\pipe\\robot-endpoint-${id}` : join(await this.#open(), `${id}.sock`);
  }

  async remove(): Promise<void> {
    if (this.#made !== null) await rm(this.#made, { recursive: true, force: true });
  }

  #open(): Promise<string> {
    return this.#making.run(async () => {
      if (this.#made === null || !(await pathExists(this.#made))) this.#made = await this.#make();
      return this.#made;
    });
  }

  async #make(): Promise<string> {
    if (Buffer.byteLength(this.#wanted) > LONGEST_BYTES) return mkdtemp(join(tmpdir(), 'robot-sockets-'));
    await rm(this.#wanted, { recursive: true, force: true });
    await makeFolder(this.#wanted);
    await chmod(this.#wanted, 0o700); // the mode above is subject to the umask
    return this.#wanted;
  }
}
