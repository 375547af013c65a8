export interface ModelProgress {
  /** `verify`: all bytes are there, and are checked. */
  readonly phase: 'download' | 'verify';
  readonly doneBytes: number;
  readonly totalBytes: number;
}

const EVERY_MS = 250;

/** Adds up the bytes of several files, and reports them at most four times a second. */
export class ProgressMeter {
  readonly #report: (progress: ModelProgress) => void;
  readonly #totalBytes: number;
  readonly #done = new Map<string, number>();
  #reportedMs = Number.NEGATIVE_INFINITY;

  constructor(totalBytes: number, report: (progress: ModelProgress) => void) {
    this.#totalBytes = totalBytes;
    this.#report = report;
  }

  /** @param bytes the number that are there of a file */
  set(path: string, bytes: number): void {
    this.#done.set(path, bytes);
    const nowMs = performance.now();
    if (nowMs - this.#reportedMs < EVERY_MS) return;
    this.#reportedMs = nowMs;
    const doneBytes = [...this.#done.values()].reduce((sum, one) => sum + one, 0);
    this.#report({ phase: 'download', doneBytes, totalBytes: this.#totalBytes });
  }

  verifying(): void {
    this.#report({ phase: 'verify', doneBytes: this.#totalBytes, totalBytes: this.#totalBytes });
  }
}
