import { systemClock } from '../clock.ts';
import { groupMemory } from './group-memory.ts';

/** Limits of a command, besides its deadline. */
export interface CommandLimits {
  /** How long it may print nothing, in ms. */
  readonly silentMs?: number;
  /** The memory of all its processes together, in bytes; see `groupMemory`. */
  readonly memoryBytes?: number;
  /** Whether it has used too much of anything else; polled every 200 ms. */
  readonly isTooMuch?: () => boolean;
}

/** The limit that a command exceeded. */
export type ExceededLimit = 'silence' | 'memory' | 'amount';

const POLL_MS = 200;
/** PowerShell takes about a second to answer. */
const WINDOWS_POLL_MS = 2_000;

/** Watches a command, and calls `end` once when it exceeds a limit. */
export class LimitWatch {
  readonly #leaderPid: number;
  readonly #limits: CommandLimits;
  readonly #end: () => void;
  #heardMs = systemClock.elapsedMs();
  #cancelPoll: (() => void) | null = null;
  #exceeded: ExceededLimit | null = null;

  constructor(leaderPid: number, limits: CommandLimits, end: () => void) {
    this.#leaderPid = leaderPid;
    this.#limits = limits;
    this.#end = end;
    this.#pollLater();
  }

  /** The limit that was exceeded, if one was. */
  get exceeded(): ExceededLimit | null {
    return this.#exceeded;
  }

  /** It printed something. */
  heard(): void {
    this.#heardMs = systemClock.elapsedMs();
  }

  /** The command has ended. */
  close(): void {
    this.#cancelPoll?.();
    this.#cancelPoll = null;
  }

  #pollLater(): void {
    const everyMs = process.platform === 'win32' ? WINDOWS_POLL_MS : POLL_MS;
    this.#cancelPoll = systemClock.after(everyMs, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const exceeded = await this.#find();
    if (this.#cancelPoll === null) return; // it has ended meanwhile
    if (exceeded === null) return this.#pollLater();
    this.#exceeded = exceeded;
    this.close();
    this.#end();
  }

  async #find(): Promise<ExceededLimit | null> {
    const { silentMs = Number.POSITIVE_INFINITY, memoryBytes, isTooMuch } = this.#limits;
    if (isTooMuch?.()) return 'amount';
    if (systemClock.elapsedMs() - this.#heardMs > silentMs) return 'silence';
    if (memoryBytes === undefined) return null;
    // A poll that fails, for instance for want of memory, must not end the watch.
    const used = await groupMemory(this.#leaderPid).catch(() => null);
    return used !== null && used > memoryBytes ? 'memory' : null;
  }
}
