export interface ModelProgress {
  /** `verify`: all bytes are there, and are checked. */
  readonly phase: 'download' | 'verify';
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** Adds up the downloaded bytes of several files. */
export class DownloadedBytes {
  readonly #totalBytes: number;
  readonly #onProgress: (progress: ModelProgress) => void;
  readonly #bytes = new Map<string, number>();
  #doneBytes = 0;

  /** @param onProgress called at each change */
  constructor(totalBytes: number, onProgress: (progress: ModelProgress) => void) {
    this.#totalBytes = totalBytes;
    this.#onProgress = onProgress;
  }

  /** @param bytes how many bytes of a file are on the disk */
  set(path: string, bytes: number): void {
    this.#doneBytes += bytes - (this.#bytes.get(path) ?? 0);
    this.#bytes.set(path, bytes);
    this.#onProgress({ phase: 'download', doneBytes: this.#doneBytes, totalBytes: this.#totalBytes });
  }

  verifying(): void {
    this.#onProgress({ phase: 'verify', doneBytes: this.#totalBytes, totalBytes: this.#totalBytes });
  }
}
