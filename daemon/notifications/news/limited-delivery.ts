import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { NoticeKind } from '../../contract/notifications/notifications.ts';
import type { Clock } from '../../shared/clock.ts';
import { type HeldBack, type News, newsKey } from './news.ts';
import type { NoticeLimit } from './notice-limit.ts';

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
