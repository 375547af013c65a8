import type { Transfer } from '../../contract/jobs.ts';

const TELL_EVERY_MS = 500;
/** The rate is that of the last seconds: an average over all would hide that a download has slowed down. */
const RATE_OVER_MS = 3_000;
const STALLED_AFTER_MS = 5_000;

/** Counts the bytes of a download, and tells how it is getting on twice a second, also while nothing arrives. */
export class TransferMeter {
  readonly #totalBytes: number | null;
  readonly #tell: (transfer: Transfer | null) => void;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #doneBytes = 0;
  #lastByteAtMs: number;
  /** How much had arrived when, oldest first, no older than what the rate is taken over. */
  #marks: { atMs: number; doneBytes: number }[] = [];

  constructor(
    totalBytes: number | null,
    tell: (transfer: Transfer | null) => void,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#totalBytes = totalBytes;
    this.#tell = tell;
    this.#nowMs = nowMs;
    this.#lastByteAtMs = nowMs();
    this.#marks = [{ atMs: nowMs(), doneBytes: 0 }];
    this.#timer = setInterval(() => this.#report(), TELL_EVERY_MS);
    this.#report();
  }

  add(bytes: number): void {
    this.#doneBytes += bytes;
    if (bytes > 0) this.#lastByteAtMs = this.#nowMs();
  }

  /** For sources that count themselves. */
  set(doneBytes: number): void {
    this.add(doneBytes - this.#doneBytes);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#tell(null);
  }

  #report(): void {
    const atMs = this.#nowMs();
    this.#marks.push({ atMs, doneBytes: this.#doneBytes });
    while (this.#marks.length > 2 && atMs - (this.#marks[1]?.atMs ?? atMs) >= RATE_OVER_MS) this.#marks.shift();
    const [oldest] = this.#marks;
    const overMs = oldest ? atMs - oldest.atMs : 0;
    this.#tell({
      doneBytes: this.#doneBytes,
      totalBytes: this.#totalBytes,
      bytesPerSecond: oldest && overMs > 0 ? Math.round(((this.#doneBytes - oldest.doneBytes) / overMs) * 1000) : 0,
      stalled: atMs - this.#lastByteAtMs >= STALLED_AFTER_MS,
    });
  }
}
