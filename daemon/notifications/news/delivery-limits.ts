import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { NoticeKind } from '../../contract/notifications/notifications.ts';
import type { Clock } from '../../shared/clock.ts';
import { type Delivery, type HeldBack, heldTogether, type News, newsKey } from './news.ts';

export const REPETITION_MS = 10 * 60_000;

/** `held`: what was held back before; `until`: the time at which it may be sent, in ms. */
export type Decision =
  | { readonly send: true; readonly held: HeldBack | null }
  | { readonly send: false; readonly until: number };

interface Known {
  readonly sentAt: number;
  readonly held: HeldBack | null;
}

/** With fewer keys than this, none is worth a search for those that are out of date. */
const FEW_KEYS = 100;

/**
 * Decides which news a channel may deliver now: each key at most once in ten minutes. Time is passed in; one that was set
 * back opens the limit.
 */
export class NoticeLimit {
  readonly #known = new Map<string, Known>();
  #pruneAt = FEW_KEYS;

  /** For news that have just come. If they may not be sent, they are counted as held back. */
  offer(key: string, now: Date): Decision {
    this.#prune(now.getTime());
    const known = this.#known.get(key);
    if (!known || !isWithin(known.sentAt, now.getTime())) return this.#send(key, now, known?.held ?? null);
    const { sentAt, held } = known;
    this.#known.set(key, { sentAt, held: { count: (held?.count ?? 0) + 1, since: held?.since ?? now } });
    return { send: false, until: sentAt + REPETITION_MS };
  }

  /** For the newest of the news that are held back, which is not counted with the others. null: none are. */
  retry(key: string, now: Date): Decision | null {
    const { held = null, sentAt = 0 } = this.#known.get(key) ?? {};
    if (!held) return null;
    if (isWithin(sentAt, now.getTime())) return { send: false, until: sentAt + REPETITION_MS };
    return this.#send(key, now, held.count === 1 ? null : { ...held, count: held.count - 1 });
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  #send(key: string, now: Date, held: HeldBack | null): Decision {
    this.#known.set(key, { sentAt: now.getTime(), held: null });
    return { send: true, held };
  }

  #prune(atMs: number): void {
    if (this.#known.size < this.#pruneAt) return;
    for (const [key, { sentAt, held }] of this.#known) {
      if (held === null && !isWithin(sentAt, atMs)) this.#known.delete(key);
    }
    this.#pruneAt = Math.max(FEW_KEYS, 2 * this.#known.size);
  }
}

const isWithin = (sentAt: number, atMs: number) => atMs >= sentAt && atMs < sentAt + REPETITION_MS;

export interface LimitedDeliveryDeps {
  readonly limit: NoticeLimit;
  readonly clock: Clock;
  /** Never throws. @param held earlier news of the kind that were not delivered */
  readonly deliver: (news: News, held: HeldBack | null) => void;
}

/**
 * Delivers news within a limit. The newest of those that it holds back is delivered as soon as the limit allows it, unless
 * there have been other news of the same endpoint since.
 */
export class LimitedDelivery {
  readonly #deps: LimitedDeliveryDeps;
  readonly #waiting = new Map<string, { readonly news: News; readonly cancel: () => void }>();
  /** The kind of the newest news of each endpoint that waits. */
  readonly #latest = new Map<string, News['kind']>();

  constructor(deps: LimitedDeliveryDeps) {
    this.#deps = deps;
  }

  offer(news: News): void {
    const { limit, clock, deliver } = this.#deps;
    const key = newsKey(news);
    this.#latest.set(endpointId(news.endpoint), news.kind);
    this.#drop(key);
    const decision = limit.offer(key, clock.now());
    if (decision.send) deliver(news, decision.held);
    else this.#wait(key, news, decision.until);
  }

  /** Drops what waits about an endpoint that is gone. */
  forget(endpoint: News['endpoint']): void {
    for (const [key, { news }] of this.#waiting) {
      if (endpointId(news.endpoint) === endpointId(endpoint)) this.#drop(key);
    }
    for (const kind of NoticeKind.options) this.#deps.limit.forget(newsKey({ kind, endpoint }));
    this.#latest.delete(endpointId(endpoint));
  }

  /** Drops everything that waits. */
  close(): void {
    for (const key of this.#waiting.keys()) this.#drop(key);
  }

  #wait(key: string, news: News, until: number): void {
    const { clock } = this.#deps;
    const cancel = clock.after(Math.max(0, until - clock.now().getTime()), () => this.#retry(key, news));
    this.#waiting.set(key, { news, cancel });
  }

  #retry(key: string, news: News): void {
    const { limit, clock, deliver } = this.#deps;
    this.#waiting.delete(key);
    if (this.#latest.get(endpointId(news.endpoint)) !== news.kind) return; // it is counted in the next one
    const decision = limit.retry(key, clock.now());
    if (decision?.send) deliver(news, decision.held);
    else if (decision) this.#wait(key, news, decision.until);
  }

  #drop(key: string): void {
    this.#waiting.get(key)?.cancel();
    this.#waiting.delete(key);
  }
}

const HOUR_MS = 60 * 60_000;

export interface HourlyDeliveryDeps {
  /** The number of deliveries an hour. */
  readonly most: number;
  readonly clock: Clock;
  /** Never throws. @param held news that were not delivered */
  readonly deliver: (news: News, held: HeldBack | null) => void;
}

/** Delivers news up to a number an hour. All that come after that are one delivery once it is over: the newest, with the others named. */
export class HourlyDelivery {
  readonly #deps: HourlyDeliveryDeps;
  /** The times of the deliveries of the last hour, oldest first. */
  #sent: number[] = [];
  #waiting: Delivery[] = [];
  #cancel = () => {};

  constructor(deps: HourlyDeliveryDeps) {
    this.#deps = deps;
  }

  offer(news: News, held: HeldBack | null): void {
    if (this.#opensAt() === null && this.#waiting.length === 0) this.#deliver(news, held);
    else if (this.#waiting.push({ news, held }) === 1) this.#wait();
  }

  /** Drops what waits about an endpoint that is gone. */
  forget(endpoint: News['endpoint']): void {
    this.#waiting = this.#waiting.filter(({ news }) => endpointId(news.endpoint) !== endpointId(endpoint));
  }

  /** Drops everything that waits. */
  close(): void {
    this.#cancel();
    this.#waiting = [];
  }

  #wait(): void {
    const { clock } = this.#deps;
    const nowMs = clock.now().getTime();
    this.#cancel = clock.after(Math.max(0, (this.#opensAt() ?? nowMs) - nowMs), () => this.#open());
  }

  #open(): void {
    const newest = this.#waiting.at(-1);
    if (!newest) return;
    if (this.#opensAt() !== null) {
      this.#wait();
      return;
    }
    const { news, held } = heldTogether([...this.#waiting.slice(0, -1), newest]);
    this.#waiting = [];
    this.#deliver(news, held);
  }

  #deliver(news: News, held: HeldBack | null): void {
    this.#sent.push(this.#deps.clock.now().getTime());
    this.#deps.deliver(news, held);
  }

  /** When the next delivery is allowed, in ms; null: now. */
  #opensAt(): number | null {
    const nowMs = this.#deps.clock.now().getTime();
    this.#sent = this.#sent.filter((sentAt) => nowMs >= sentAt && nowMs < sentAt + HOUR_MS);
    return this.#sent.length < this.#deps.most ? null : (this.#sent[0] as number) + HOUR_MS;
  }
}
