import type { Transfer } from '../../contract/common/progress.ts';
import type { Clock } from '../clock.ts';

const REPORT_EVERY_MS = 500;
/** The rate covers only the last seconds: an average over the whole download would hide a slow-down. */
const RATE_OVER_MS = 3_000;
const STALLED_AFTER_MS = 5_000;

/** Counts the bytes of a download, and reports its progress twice a second, also while nothing arrives. */
export class TransferMeter {
  readonly #clock: Clock;
  #totalBytes: number | null;
  readonly #onTransfer: (transfer: Transfer | null) => void;
  readonly #endReports: () => void;
  #doneBytes = 0;
  #lastByteAtMs: number;
  /** Byte counts within the span of the rate, oldest first. */
  #samples: { atMs: number; doneBytes: number }[] = [];

  constructor(clock: Clock, totalBytes: number | null, onTransfer: (transfer: Transfer | null) => void) {
    this.#clock = clock;
    this.#totalBytes = totalBytes;
    this.#onTransfer = onTransfer;
    this.#lastByteAtMs = clock.elapsedMs();
    this.#samples = [{ atMs: clock.elapsedMs(), doneBytes: 0 }];
    this.#endReports = clock.every(REPORT_EVERY_MS, () => this.#report());
    this.#report();
  }

  add(bytes: number): void {
    this.#doneBytes += bytes;
    if (bytes > 0) this.#lastByteAtMs = this.#clock.elapsedMs();
  }

  /** For sources that count themselves. @param totalBytes where it becomes known on the way */
  set(doneBytes: number, totalBytes: number | null = this.#totalBytes): void {
    this.#totalBytes = totalBytes;
    this.add(doneBytes - this.#doneBytes);
  }

  close(): void {
    this.#endReports();
    this.#onTransfer(null);
  }

  #report(): void {
    const atMs = this.#clock.elapsedMs();
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
