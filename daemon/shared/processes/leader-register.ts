import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import type { DataPaths } from '../files/data-paths.ts';
import { readJsonFile } from '../files/json-file.ts';
import type { Logger } from '../logger.ts';
import { CHILD_MARK_VARIABLE } from './child-environment.ts';
import { startedSinceBoot, startTimes } from './process-identity.ts';

/** A process that the daemon started as the leader of a group of its own: the group has its number. */
export const Leader = z.object({
  pid: z.int().min(2),
  /** See `startTimes`. */
  startTime: z.string(),
  /** `startedSinceBoot` when it was written down. */
  startedSinceBoot: z.int().nullable(),
});
export type Leader = z.infer<typeof Leader>;

export const LeadersFile = z.object({ leaders: z.array(Leader) });

/** Where a daemon writes them down. */
export function leadersFile(paths: DataPaths): string {
  return join(paths.root, 'leaders.json');
}

/** The leaders that the last daemon did not end. A file that is damaged counts as none: the mark finds most of them. */
export async function readLeaders(file: string): Promise<Leader[]> {
  return (await readJsonFile(file, LeadersFile).catch(() => null))?.leaders ?? [];
}

/** By the mark that each child carries in its environment: who starts one need not know whose it is. */
const registers = new Map<string, LeaderRegister>();

/**
 * Writes a leader down, soon and without being waited for, if a daemon keeps a register of its children.
 * @param env the environment that it was started with
 * @returns to be called once nothing of its group is left
 */
export function recordLeader(pid: number, env: Readonly<Record<string, string>>): () => void {
  return registers.get(env[CHILD_MARK_VARIABLE] ?? '')?.add(pid) ?? (() => {});
}

/** The leaders that live, on disk: should the daemon be killed, the next one ends them with their groups. */
export class LeaderRegister {
  readonly #deps: { file: string; mark: string; log: Logger };
  /** null: not looked at yet. */
  readonly #leaders = new Map<number, Leader | null>();
  #writing: Promise<void> | null = null;
  #isStale = false;
  #isClosed = false;

  /** Children with that mark are written down from now on. */
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

  /** Settles once the file says what is known. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** Ends the record: the file may be another daemon's from now on, so a leader that ends later is not taken out of it. */
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
      await this.#lookAtNewOnes();
      const leaders = [...this.#leaders.values()].filter((leader) => leader !== null);
      // Not synced: a loss of power ends the processes too.
      await writeFileAtomic(this.#deps.file, `${JSON.stringify({ leaders })}\n`, { mode: 0o600, fsync: false }).catch(
        (error: unknown) => this.#deps.log.error('the processes that were started could not be written down', error),
      );
    }
  }

  async #lookAtNewOnes(): Promise<void> {
    const fresh = [...this.#leaders].flatMap(([pid, leader]) => (leader === null ? [pid] : []));
    if (fresh.length === 0) return;
    const [times, started] = await Promise.all([startTimes(fresh), startedSinceBoot()]);
    for (const pid of fresh) {
      const startTime = times.get(pid);
      // It may be gone by now; and its number must not be written down without the time.
      if (startTime !== undefined && this.#leaders.get(pid) === null) {
        this.#leaders.set(pid, { pid, startTime, startedSinceBoot: started });
      }
    }
  }
}
