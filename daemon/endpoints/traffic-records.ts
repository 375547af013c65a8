import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import type { EndpointHistory } from '../contract/endpoints/endpoint-history.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { EndpointTraffic } from '../contract/endpoints/endpoint-traffic.ts';
import type { Clock } from '../shared/clock.ts';
import { TokenCount } from './token-count.ts';
import { type Generated, TokenRate } from './token-rate.ts';
import { LatestSamples, TrafficHistory } from './traffic-history.ts';

/** The number of latest answers that percentiles are of. */
const LATEST = 512;

/** The shortest answer whose speed says something: in tokens, and in the milliseconds in which they were generated. */
const SPEED_TOKENS = 16;
const SPEED_MS = 500;

/** `answered`: by a replica. `refused`: the gateway knows that the model cannot answer it; no fault of the endpoint. */
type RequestOutcome = 'answered' | 'refused' | 'failed' | 'cancelled';

/** Follows one request of an endpoint, from its arrival to its end. Calls after `ended` have no effect. */
export interface FollowedRequest {
  /** A replica was found, and has the request next. */
  sent(): void;
  /** The replica was lost before it answered: the request waits again. */
  waitsAgain(): void;
  /** The answer's headers arrived. */
  answers(contentType: string, contentEncoding: string | undefined): void;
  data(chunk: Buffer): void;
  ended(outcome: RequestOutcome): void;
}

interface Record {
  requests: number;
  answered: number;
  failed: number;
  inFlight: number;
  cacheHits: number;
  waiting: number;
  lastRequestAt: string;
  readonly latencyMs: LatestSamples;
  readonly firstByteMs: LatestSamples;
  readonly tokensPerSecond: LatestSamples;
  readonly rate: TokenRate;
  /** The streams that are under way, with their tokens so far. */
  readonly streams: Set<() => Generated>;
  readonly history: TrafficHistory;
}

type OnSpeed = (endpoint: EndpointRef, tokensPerSecond: number) => void;

/** The traffic of each endpoint since the daemon's start. A record has a fixed size; nothing is saved. */
export class TrafficRecords {
  readonly #clock: Pick<Clock, 'now' | 'elapsedMs'>;
  readonly #onSpeed: OnSpeed;
  /** By the ids of the endpoints. */
  readonly #records = new Map<string, Record>();

  /** @param onSpeed hears how fast an answer was generated that had the endpoint for itself, without the time of its prompt */
  constructor(clock: Pick<Clock, 'now' | 'elapsedMs'>, onSpeed: OnSpeed = () => {}) {
    this.#clock = clock;
    this.#onSpeed = onSpeed;
  }

  /** The traffic of an endpoint; zeros for one without requests. */
  of(endpoint: EndpointRef): EndpointTraffic {
    const record = this.#records.get(endpointId(endpoint)) ?? newRecord();
    const { requests, failed, inFlight, cacheHits, waiting, rate, streams } = record;
    const underWay = [...streams].map((generated) => generated());
    return {
      ...{ requests, failed, inFlight, cacheHits, waiting },
      latencyMs: record.latencyMs.percentiles(),
      firstByteMs: record.firstByteMs.percentiles(),
      tokensPerSecond: record.tokensPerSecond.percentiles()?.p50 ?? null,
      generatedPerSecond: { now: rate.lastMinute(this.#clock.elapsedMs(), underWay), average: rate.average },
      lastRequestAt: record.lastRequestAt || null,
    };
  }

  /** The number of requests that the replicas of an endpoint have answered. */
  answers(endpoint: EndpointRef): number {
    return this.#records.get(endpointId(endpoint))?.answered ?? 0;
  }

  /** The use of an endpoint over the last hour. */
  history(endpoint: EndpointRef): EndpointHistory {
    return (this.#records.get(endpointId(endpoint))?.history ?? new TrafficHistory()).read(this.#clock.now().getTime());
  }

  /** Notes the memory that an endpoint's processes use. */
  usesMemory(endpoint: EndpointRef, bytes: number): void {
    this.#recordOf(endpoint).history.usesMemory(this.#clock.now().getTime(), bytes);
  }

  /** Forgets a deleted endpoint. */
  forget(endpoint: EndpointRef): void {
    this.#records.delete(endpointId(endpoint));
  }

  /** Counts a request, which waits for a replica first. */
  begin(endpoint: EndpointRef): FollowedRequest {
    const record = this.#arrived(endpoint);
    record.inFlight += 1;
    return follow(record, {
      elapsedMs: this.#clock.elapsedMs,
      nowMs: () => this.#clock.now().getTime(),
      onSpeed: (tokensPerSecond) => this.#onSpeed(endpoint, tokensPerSecond),
    });
  }

  /** Counts a request that the cache answered at once. It says nothing of the latency of the endpoint's replicas. */
  hit(endpoint: EndpointRef): void {
    this.#arrived(endpoint).cacheHits += 1;
  }

  #arrived(endpoint: EndpointRef): Record {
    const record = this.#recordOf(endpoint);
    const now = this.#clock.now();
    record.lastRequestAt = now.toISOString();
    record.requests += 1;
    record.history.arrived(now.getTime());
    return record;
  }

  #recordOf(endpoint: EndpointRef): Record {
    const id = endpointId(endpoint);
    const known = this.#records.get(id);
    if (known) return known;
    const record = newRecord();
    this.#records.set(id, record);
    return record;
  }
}

function newRecord(): Record {
  return {
    ...{ requests: 0, answered: 0, failed: 0, inFlight: 0, cacheHits: 0, waiting: 0, lastRequestAt: '' },
    latencyMs: new LatestSamples(LATEST),
    firstByteMs: new LatestSamples(LATEST),
    tokensPerSecond: new LatestSamples(LATEST),
    rate: new TokenRate(),
    streams: new Set(),
    history: new TrafficHistory(),
  };
}

interface FollowDeps {
  readonly elapsedMs: () => number;
  readonly nowMs: () => number;
  readonly onSpeed: (tokensPerSecond: number) => void;
}

/** @param record counts the request already */
function follow(record: Record, { elapsedMs, nowMs, onSpeed }: FollowDeps): FollowedRequest {
  const arrivedMs = elapsedMs();
  const { requests, inFlight } = record;
  let sentMs = arrivedMs;
  let firstByteMs: number | null = null;
  let tokens: TokenCount | null = null;
  /** Tokens of a stream that came at once with its first byte: the time before was that of the prompt. */
  let firstTokens = 0;
  let isWaiting = false;
  let isOver = false;
  const wait = (waits: boolean) => {
    if (waits !== isWaiting && !isOver) record.waiting += waits ? 1 : -1;
    isWaiting = waits;
  };
  /** @param count its tokens, as far as they are known */
  const generated = (count: number): Generated => {
    const toMs = elapsedMs();
    if (tokens?.isStream && firstByteMs !== null) return { tokens: count - firstTokens, fromMs: firstByteMs, toMs };
    return { tokens: count, fromMs: Math.max(sentMs, toMs - (tokens?.generatedMs() ?? toMs)), toMs };
  };
  const stream = () => generated(tokens?.soFar ?? 0);
  /** Tokens a second; null: the time of its prompt is in it, other requests slowed it down, or it was too short to tell. */
  const speedOf = ({ tokens: count, fromMs, toMs }: Generated): number | null => {
    const isTimed = tokens?.isStream === true || typeof tokens?.generatedMs() === 'number';
    const wasAlone = inFlight === 1 && record.requests === requests;
    if (!isTimed || !wasAlone || count < SPEED_TOKENS || toMs - fromMs < SPEED_MS) return null;
    return Number(((count * 1_000) / (toMs - fromMs)).toPrecision(3)); // never rounded to 0
  };
  wait(true);
  return {
    sent: () => {
      wait(false);
      sentMs = elapsedMs();
    },
    waitsAgain: () => wait(true),
    answers: (contentType, contentEncoding) => {
      tokens = TokenCount.of(contentType, contentEncoding);
    },
    data: (chunk) => {
      tokens?.add(chunk);
      if (firstByteMs !== null) return;
      firstByteMs = elapsedMs();
      if (!tokens?.isStream || isOver) return;
      firstTokens = tokens.soFar;
      record.streams.add(stream);
    },
    ended: (reported) => {
      if (isOver) return;
      const outcome = reported === 'answered' && tokens?.isCut ? 'failed' : reported;
      wait(false);
      isOver = true;
      record.inFlight -= 1;
      record.streams.delete(stream);
      const count = tokens?.total() ?? 0;
      const all = generated(count);
      record.rate.add(all);
      if (outcome === 'failed') {
        record.failed += 1;
        record.history.failed(nowMs());
      }
      if (outcome !== 'answered') return;
      record.answered += 1;
      const endedMs = elapsedMs();
      record.latencyMs.add(endedMs - arrivedMs);
      record.history.answered(nowMs(), endedMs - arrivedMs);
      if (firstByteMs !== null) record.firstByteMs.add(firstByteMs - arrivedMs);
      if (count > 0 && endedMs > sentMs) record.tokensPerSecond.add((count * 1_000) / (endedMs - sentMs));
      const speed = speedOf(all);
      if (speed !== null) onSpeed(speed);
    },
  };
}
