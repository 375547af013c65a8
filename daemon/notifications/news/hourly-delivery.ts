import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { Clock } from '../../shared/clock.ts';
import { type Delivery, heldTogether } from './held-together.ts';
import type { HeldBack, News } from './news.ts';

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
