import type { Transfer } from '../../contract/common/progress.ts';

const REPORT_EVERY_MS = 500;
/** The rate covers only the last seconds: an average over the whole download would hide a slow-down. */
const RATE_OVER_MS = 3_000;
const STALLED_AFTER_MS = 5_000;

/** Counts the bytes of a download, and reports its progress twice a second, also while nothing arrives. */
export class TransferMeter {
  #totalBytes: number | null;
  readonly #onTransfer: (transfer: Transfer | null) => void;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #doneBytes = 0;
  #lastByteAtMs: number;
  /** Byte counts within the span of the rate, oldest first. */
  #samples: { atMs: number; doneBytes: number }[] = [];

  constructor(
    totalBytes: number | null,
    onTransfer: (transfer: Transfer | null) => void,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#totalBytes = totalBytes;
    this.#onTransfer = onTransfer;
    this.#nowMs = nowMs;
    this.#lastByteAtMs = nowMs();
    this.#samples = [{ atMs: nowMs(), doneBytes: 0 }];
    this.#timer = setInterval(() => this.#report(), REPORT_EVERY_MS);
    this.#report();
  }

  add(bytes: number): void {
    this.#doneBytes += bytes;
    if (bytes > 0) this.#lastByteAtMs = this.#nowMs();
  }

  /** For sources that count themselves. @param totalBytes where it becomes known on the way */
  set(doneBytes: number, totalBytes: number | null = this.#totalBytes): void {
    this.#totalBytes = totalBytes;
    this.add(doneBytes - this.#doneBytes);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#onTransfer(null);
  }

  #report(): void {
    const atMs = this.#nowMs();
    this.#samples.push({ atMs, doneBytes: this.#doneBytes });
    while (this.#samples.length > 2 && atMs - (this.#samples[1]?.atMs ?? atMs) >= RATE_OVER_MS) this.#samples.shift();
    const [oldest] = this.#samples;
    const overMs = oldest ? atMs - oldest.atMs : 0;
    this.#onTransfer({
      doneBytes: this.#doneBytes,
      totalBytes: this.#totalBytes,
      bytesPerSecond: oldest && overMs > 0 ? Math.round(((this.#doneBytes - oldest.doneBytes) / overMs) * 1000) : 0,
      stalled: atMs - this.#lastByteAtMs >= STALLED_AFTER_MS,
    });
  }
}
