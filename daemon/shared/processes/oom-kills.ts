import { readFile } from 'node:fs/promises';

/**
 * Whether the kernel has ended a process for want of memory shortly before a program's end. It does not say whose, and other
 * programs end processes for want of memory too: "no" is no evidence.
 */
export class OomKillWatch {
  readonly #count: typeof oomKills;
  /** At the look before the last one: the kernel counts a process before it takes it apart, and a look may come between. */
  #before: Promise<number | null>;
  #last: Promise<number | null>;

  constructor(count: () => Promise<number | null> = oomKills) {
    this.#count = count;
    this.#last = count();
    this.#before = this.#last;
  }

  /** To be called from time to time while the program runs. */
  look(): void {
    this.#before = this.#last;
    this.#last = this.#count();
  }

  /** Whether a process was ended since the look before the last one, or since the start. */
  async isNew(): Promise<boolean> {
    const [before, now] = await Promise.all([this.#before, this.#count()]);
    return before !== null && now !== null && now > before;
  }
}

/**
 * The number of processes that the kernel has ended for want of memory since the machine's start, in containers too; null
 * where no file says. Source: `oom_kill` in /proc/vmstat, since Linux 4.13.
 */
export async function oomKills(file = '/proc/vmstat'): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? null : Number(count);
}
