import * as z from 'zod';
import { replaceFile } from '../files/atomic-file.ts';
import { readJsonFile } from '../files/json-file.ts';
import type { Logger } from '../logger.ts';
import { CHILD_MARK_VARIABLE } from './child-environment.ts';
import { startedSinceBoot, startTimes } from './process-identity.ts';

/** A process that the daemon started as the leader of its own process group. */
export const Leader = z.object({
  pid: z.int().min(2),
  /** See `startTimes`. */
  startTime: z.string(),
  /** `startedSinceBoot` when it was recorded. */
  startedSinceBoot: z.int().nullable(),
});
export type Leader = z.infer<typeof Leader>;

export const LeadersFile = z.object({ leaders: z.array(Leader) });

/** The leaders that the last daemon did not end. A damaged file counts as none: the mark finds most of them. */
export async function readLeaders(file: string): Promise<Leader[]> {
  return (await readJsonFile(file, LeadersFile).catch(() => null))?.leaders ?? [];
}

/** Registers by the mark in the children's environment, so that code which starts a child needs no register. */
const registers = new Map<string, LeaderRegister>();

/**
 * Records a leader in the background, if its daemon keeps a register.
 * @param env the environment that it was started with
 * @returns a function to call once its group is empty
 */
export function recordLeader(pid: number, env: Readonly<Record<string, string>>): () => void {
  return registers.get(env[CHILD_MARK_VARIABLE] ?? '')?.add(pid) ?? (() => {});
}

/** Keeps the live leaders on disk: after a kill of the daemon, the next one ends them and their groups. */
export class LeaderRegister {
  readonly #deps: { file: string; mark: string; log: Logger };
  /** null: start time not yet read. */
  readonly #leaders = new Map<number, Leader | null>();
  #writing: Promise<void> | null = null;
  #isStale = false;
  /** Why the last write failed. */
  #failure: Error | null = null;
  #isClosed = false;

  constructor(deps: { file: string; mark: string; log: Logger }) {
    this.#deps = deps;
    registers.set(deps.mark, this);
    this.#changed();
  }

  add(pid: number): () => void {
    this.#leaders.set(pid, null);
    this.#changed();
    return () => {
      this.#leaders.delete(pid);
      this.#changed();
    };
  }

  /** Writes the file, so that its disk is known to take it. @throws StorageError */
  async save(): Promise<void> {
    if (this.#isClosed) return;
    this.#changed();
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  /** Waits until the file is up to date. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** Stops recording, also of ends: the file may belong to another daemon from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (registers.get(this.#deps.mark) === this) registers.delete(this.#deps.mark);
    await this.written();
  }

  #changed(): void {
    if (this.#isClosed) return;
    this.#isStale = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#readStartTimes();
      const leaders = [...this.#leaders.values()].filter((leader) => leader !== null);
      // No fsync: a power failure ends the processes too.
      await replaceFile(this.#deps.file, `${JSON.stringify({ leaders })}\n`, { fsync: false }).then(
        () => this.#ended(null),
        (error: Error) => this.#ended(error),
      );
    }
  }

  #ended(failure: Error | null): void {
    // Once, and not for every child: the disk stays full for a while.
    if (failure && !this.#failure) this.#deps.log.error('child processes could not be recorded', failure);
    this.#failure = failure;
  }

  async #readStartTimes(): Promise<void> {
    const fresh = [...this.#leaders].flatMap(([pid, leader]) => (leader === null ? [pid] : []));
    if (fresh.length === 0) return;
    const [times, started] = await Promise.all([startTimes(fresh), startedSinceBoot()]);
    for (const pid of fresh) {
      const startTime = times.get(pid);
      // It may have ended. A process id alone, without its start time, must not be recorded.
      if (startTime !== undefined && this.#leaders.get(pid) === null) {
        this.#leaders.set(pid, { pid, startTime, startedSinceBoot: started });
      }
    }
  }
}
