/**
 * The two limits of a channel. They are apart because they hold back different things: a repetition is only counted, and
 * dropped once the endpoint has other news; what is too much for an hour is kept and named. A third wait, after a delivery
 * that failed, limits nothing: see repeated-delivery.ts.
 */
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { NoticeKind } from '../../contract/notifications/notifications.ts';
import type { Clock } from '../../shared/clock.ts';
import type { News } from '../../shared/news.ts';
import { type Delivery, type HeldBack, heldTogether, newsKey } from './news.ts';

export const REPETITION_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;

/** `held`: what was held back before; `until`: the time at which it may be sent, in ms. */
type Decision =
  | { readonly send: true; readonly held: HeldBack | null }
  | { readonly send: false; readonly until: number };

/** Delivers news. Never throws. @param held news that were not delivered */
type Deliver = (news: News, held: HeldBack | null) => void;

/**
 * Decides which news a channel may deliver now: each key at most once in ten minutes. Time is passed in; one that was set
 * back opens the limit. Keys stay until they are forgotten with their endpoint.
 */
export class NoticeLimit {
  readonly #known = new Map<string, { readonly sentAt: number; readonly held: HeldBack | null }>();

  /** For news that have just come. If they may not be sent, they are counted as held back. */
  offer(key: string, now: Date): Decision {
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
}

const isWithin = (sentAt: number, atMs: number) => atMs >= sentAt && atMs < sentAt + REPETITION_MS;

/**
 * Delivers the same news of an endpoint at most once in ten minutes. The newest of those that it holds back is delivered
 * as soon as the limit allows it, unless there have been other news of the same endpoint since.
 */
export class LimitedDelivery {
  readonly #clock: Clock;
  readonly #deliver: Deliver;
  readonly #limit = new NoticeLimit();
  /** Cancels the waits, by the keys of their news. */
  readonly #waiting = new Map<string, () => void>();
  /** The kind of the newest news of each endpoint that waits. */
  readonly #latest = new Map<string, News['kind']>();

  constructor(clock: Clock, deliver: Deliver) {
    this.#clock = clock;
    this.#deliver = deliver;
  }

  offer(news: News): void {
    const key = newsKey(news);
    this.#latest.set(endpointId(news.endpoint), news.kind);
    this.#drop(key);
    this.#follow(this.#limit.offer(key, this.#clock.now()), key, news);
  }

  /** Drops what waits about an endpoint that is gone. */
  forget(endpoint: News['endpoint']): void {
    for (const kind of NoticeKind.options) {
      const key = newsKey({ kind, endpoint });
      this.#drop(key);
      this.#limit.forget(key);
    }
    this.#latest.delete(endpointId(endpoint));
  }

  close(): void {
    for (const key of this.#waiting.keys()) this.#drop(key);
  }

  #follow(decision: Decision, key: string, news: News): void {
    if (decision.send) {
      this.#deliver(news, decision.held);
      return;
    }
    const waitMs = Math.max(0, decision.until - this.#clock.now().getTime());
    const cancel = this.#clock.after(waitMs, () => {
      this.#waiting.delete(key);
      if (this.#latest.get(endpointId(news.endpoint)) !== news.kind) return; // it is counted in the next one
      const next = this.#limit.retry(key, this.#clock.now());
      if (next) this.#follow(next, key, news);
    });
    this.#waiting.set(key, cancel);
  }

  #drop(key: string): void {
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
  }
}

/** Delivers news up to a number an hour. All that come after that are one delivery once it is over: the newest, with the others named. */
export class HourlyDelivery {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #deliver: Deliver;
  /** The times of the deliveries of the last hour, oldest first. */
  #sent: number[] = [];
  #waiting: Delivery[] = [];
  #cancel = () => {};

  constructor(most: number, clock: Clock, deliver: Deliver) {
    this.#most = most;
    this.#clock = clock;
    this.#deliver = deliver;
  }

  offer(news: News, held: HeldBack | null): void {
    const isFirst = this.#waiting.push({ news, held }) === 1;
    if (isFirst) this.#open();
  }

  /** Drops what waits about an endpoint that is gone. */
  forget(endpoint: News['endpoint']): void {
    this.#waiting = this.#waiting.filter(({ news }) => endpointId(news.endpoint) !== endpointId(endpoint));
  }

  close(): void {
    this.#cancel();
    this.#waiting = [];
  }

  /** Delivers what waits, now or as soon as the limit allows it. */
  #open(): void {
    const newest = this.#waiting.at(-1);
    if (!newest) return;
    const nowMs = this.#clock.now().getTime();
    this.#sent = this.#sent.filter((sentAt) => nowMs >= sentAt && nowMs < sentAt + HOUR_MS);
    if (this.#sent.length >= this.#most) {
      this.#cancel();
      this.#cancel = this.#clock.after((this.#sent[0] as number) + HOUR_MS - nowMs, () => this.#open());
      return;
    }
    const { news, held } = heldTogether([...this.#waiting.slice(0, -1), newest]);
    this.#waiting = [];
    this.#sent.push(nowMs);
    this.#deliver(news, held);
  }
}
