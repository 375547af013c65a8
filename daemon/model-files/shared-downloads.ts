/** Downloads one file. Its signal aborts once no caller waits for it. */
type Download = (progress: {
  readonly signal: AbortSignal;
  /** Called with the number of bytes that are there; smaller than before when the download begins again. */
  readonly onBytes: (bytes: number) => void;
}) => Promise<void>;

interface Active {
  readonly size: number;
  bytes: number;
  readonly listeners: Set<(bytes: number) => void>;
  readonly ending: AbortController;
  readonly work: Promise<void>;
  /** Never rejects. */
  readonly settled: Promise<unknown>;
}

/** Downloads under way, by the path of their file: callers for the same file share one. */
export class SharedDownloads {
  readonly #active = new Map<string, Active>();

  /** The bytes still to come. */
  get pendingBytes(): number {
    return [...this.#active.values()].reduce((sum, { size, bytes }) => sum + Math.max(0, size - bytes), 0);
  }

  isActive(path: string): boolean {
    return this.#active.has(path);
  }

  /**
   * Waits for the download of a file, and begins it if nobody has.
   * @throws the failure of the download, or the reason of the signal; the download then ends if nobody else waits for it
   */
  async run(
    path: string,
    size: number,
    download: Download,
    { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const active = this.#active.get(path) ?? this.#begin(path, size, download);
      if (!active.ending.signal.aborted) return this.#join(active, signal, onBytes);
      await active.settled;
    }
  }

  #begin(path: string, size: number, download: Download): Active {
    const listeners = new Set<(bytes: number) => void>();
    const ending = new AbortController();
    const onBytes = (bytes: number) => {
      active.bytes = bytes;
      for (const listener of listeners) listener(bytes);
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = promise
      .then(() => download({ signal: ending.signal, onBytes }))
      .finally(() => this.#active.delete(path));
    const active: Active = { size, bytes: 0, listeners, ending, work, settled: work.catch(() => {}) };
    this.#active.set(path, active);
    resolve();
    return active;
  }

  async #join(active: Active, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<void> {
    const { listeners, ending, work, settled } = active;
    const left = Promise.withResolvers<never>();
    const onAbort = () => left.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const listener = (bytes: number) => onBytes(bytes); // an own identity, so that one caller may join twice
    listeners.add(listener);
    onBytes(active.bytes);
    try {
      await Promise.race([work, left.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      listeners.delete(listener);
      if (listeners.size === 0) {
        ending.abort(signal.reason);
        await settled; // nothing is written any more
      }
    }
  }
}
