/** More replicas are started by the mean of this time, as by the hub. */
const RECENT_MS = 20_000;
/** Replicas are ended by the highest load of this time, as by the hub. */
const CALM_MS = 5 * 60_000;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly load: number;
}

/** The load of an endpoint over the last minutes. Its size is bounded by the number of spans in that time. */
export class LoadHistory {
  #spans: readonly Span[] = [];

  /** Adds the mean load of a span, which begins where the one before ends. */
  add(span: Span): void {
    this.#spans = [...this.#spans.filter(({ toMs }) => toMs > span.toMs - CALM_MS), span];
  }

  /** Forgets all: the time from the last span to the next is not known. */
  clear(): void {
    this.#spans = [];
  }

  /** The mean of the last 20 s; null: it is not known for so long. */
  get recent(): number | null {
    const spans = this.#since(RECENT_MS);
    if (!spans) return null;
    const ms = spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    return spans.reduce((sum, { fromMs, toMs, load }) => sum + load * (toMs - fromMs), 0) / ms;
  }

  /** The highest of the last 5 minutes; null: it is not known for so long. */
  get highest(): number | null {
    const spans = this.#since(CALM_MS);
    return spans && Math.max(...spans.map(({ load }) => load));
  }

  /** The spans that cover a time up to the newest one; null: they do not. */
  #since(ms: number): readonly Span[] | null {
    const fromMs = (this.#spans.at(-1)?.toMs ?? 0) - ms;
    const [first] = this.#spans;
    return first && first.fromMs <= fromMs ? this.#spans.filter(({ toMs }) => toMs > fromMs) : null;
  }
}

/**
 * Sums up how many requests there were for how long: two requests for three seconds are six. The difference of two
 * readings by their distance is the mean number of requests in between.
 */
export class RequestSeconds {
  #requests = 0;
  #sum = 0;
  #sinceMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** The number of requests has changed. */
  changed(requests: number, nowMs: number): void {
    this.#sum = this.read(nowMs);
    this.#sinceMs = nowMs;
    this.#requests = requests;
  }

  /** The sum up to now. */
  read(nowMs: number): number {
    const ms = Math.max(0, nowMs - this.#sinceMs); // the clock may have been set back
    return this.#sum + (this.#requests * ms) / 1_000;
  }
}
