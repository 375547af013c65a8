import type { EndpointHistory, EndpointSample } from '../contract/endpoints/endpoint-history.ts';
import type { Percentiles } from '../contract/endpoints/endpoint-traffic.ts';

/** The length of a span. */
export const SPAN_MS = 30_000;
/** An hour. */
export const SPANS = 120;
/** The latest answers of a span that its percentiles are of. */
const ANSWERS = 64;

interface Span {
  /** The number of the span since 1970. */
  readonly number: number;
  requests: number;
  failed: number;
  memoryBytes: number | null;
  latency: LatestSamples | null;
}

/** The use of an endpoint over the last hour, in spans of half a minute. Bounded: only spans with use are kept. */
export class TrafficHistory {
  readonly #spans: Span[] = [];

  /** A request arrived. @param nowMs the time of day */
  arrived(nowMs: number): void {
    this.#span(nowMs).requests += 1;
  }

  failed(nowMs: number): void {
    this.#span(nowMs).failed += 1;
  }

  answered(nowMs: number, latencyMs: number): void {
    const span = this.#span(nowMs);
    span.latency ??= new LatestSamples(ANSWERS);
    span.latency.add(latencyMs);
  }

  /** Notes the memory of its processes; the largest of a span counts. */
  usesMemory(nowMs: number, bytes: number): void {
    const span = this.#span(nowMs);
    span.memoryBytes = Math.max(span.memoryBytes ?? 0, bytes);
  }

  /** Every span of the last hour, oldest first. */
  read(nowMs: number): EndpointHistory {
    const last = this.#numberAt(nowMs);
    const known = new Map(this.#spans.map((span) => [span.number, span]));
    const samples = Array.from({ length: SPANS }, (_, index) => {
      const number = last - SPANS + 1 + index;
      return sampleOf(number, known.get(number));
    });
    return { everySeconds: SPAN_MS / 1_000, samples };
  }

  #span(nowMs: number): Span {
    const number = this.#numberAt(nowMs);
    const current = this.#spans.at(-1);
    if (current?.number === number) return current;
    const span = { number, requests: 0, failed: 0, memoryBytes: null, latency: null };
    this.#spans.push(span);
    while ((this.#spans[0]?.number ?? number) <= number - SPANS) this.#spans.shift();
    return span;
  }

  /** The clock may have been set back: time goes on from the newest span then. */
  #numberAt(nowMs: number): number {
    return Math.max(Math.floor(nowMs / SPAN_MS), this.#spans.at(-1)?.number ?? 0);
  }
}

function sampleOf(number: number, span: Span | undefined): EndpointSample {
  return {
    at: new Date(number * SPAN_MS).toISOString(),
    requests: span?.requests ?? 0,
    failed: span?.failed ?? 0,
    latencyMs: span?.latency?.percentiles() ?? null,
    memoryBytes: span?.memoryBytes ?? null,
  };
}

/** The latest values of a measurement. */
export class LatestSamples {
  readonly #values: Float64Array;
  #added = 0;

  /** @param size the number of values kept */
  constructor(size: number) {
    this.#values = new Float64Array(size);
  }

  add(value: number): void {
    this.#values[this.#added % this.#values.length] = value;
    this.#added += 1;
  }

  /** Sorts all values, so it is for readers and not for each request. null: no value yet. */
  percentiles(): Percentiles | null {
    if (this.#added === 0) return null;
    const sorted = this.#values.slice(0, this.#added).sort();
    const at = (share: number) => rounded(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    return { p50: at(0.5), p99: at(0.99) };
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
