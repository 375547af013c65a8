import { randomUUID } from 'node:crypto';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { Clock } from '../../shared/clock.ts';
import type { News } from '../../shared/news.ts';
import { type Delivery, type HeldBack, heldTogether, newsKey } from './news.ts';

/** Why a delivery failed, in sentences; `isTemporary`: it may succeed later. */
export interface DeliveryFailure {
  readonly problem: string;
  readonly isTemporary: boolean;
}

/** The state of a delivery that failed. `againAt`: when it is tried again; null: no more. */
export interface Undelivered {
  readonly problem: string;
  readonly againAt: Date | null;
}

export const ENDED_BEFORE_TRY = 'The daemon ended before the next try.';

interface RepeatedDeliveryDeps {
  /** The waits before a second try, a third, and so on. */
  readonly waitsMs: readonly number[];
  readonly clock: Clock;
  /** Never throws. @param id the same for each try of a delivery @returns null: it was delivered */
  readonly deliver: (delivery: Delivery, id: string) => Promise<DeliveryFailure | null>;
  /** Called after each try, for all news of the delivery; null: it was delivered. */
  readonly report: (news: News, undelivered: Undelivered | null) => void;
}

interface Attempt extends Delivery {
  readonly id: string;
  /** The news that it reports, by their keys. */
  readonly reported: ReadonlyMap<string, News>;
  readonly failures: number;
}

interface Waiting {
  readonly attempt: Attempt;
  readonly problem: string;
  readonly cancel: () => void;
  isDue: boolean;
}

/** The news to deliver about an endpoint: one after the other, so that the last word comes last. */
interface Subject {
  readonly queue: Attempt[];
  waiting: Waiting | null;
  isBusy: boolean;
  isClosed: boolean;
}

/**
 * Tries a delivery that failed for the moment again, a few times. Newer news of the same endpoint do not overtake it: they
 * are delivered at once, and name it.
 */
export class RepeatedDelivery {
  readonly #deps: RepeatedDeliveryDeps;
  readonly #subjects = new Map<string, Subject>();
  readonly #working = new Set<Promise<void>>();
  #isClosed = false;

  constructor(deps: RepeatedDeliveryDeps) {
    this.#deps = deps;
  }

  offer(news: News, held: HeldBack | null): void {
    if (this.#isClosed) return;
    const key = endpointId(news.endpoint);
    const subject = this.#subjects.get(key) ?? { queue: [], waiting: null, isBusy: false, isClosed: false };
    this.#subjects.set(key, subject);
    subject.queue.push({ news, held, id: randomUUID(), reported: new Map([[newsKey(news), news]]), failures: 0 });
    this.#start(subject);
  }

  /** Drops what waits about an endpoint that is gone. */
  forget(endpoint: News['endpoint']): void {
    const key = endpointId(endpoint);
    const subject = this.#subjects.get(key);
    if (!subject) return;
    this.#close(subject, 'The endpoint was deleted before the next try.');
    this.#subjects.delete(key);
  }

  /** Drops everything that waits, and reports it. Waits for the end of the tries under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const subject of this.#subjects.values()) this.#close(subject, ENDED_BEFORE_TRY);
    await Promise.all(this.#working);
  }

  /** @param why a sentence for those who wait for the next try */
  #close(subject: Subject, why: string): void {
    const { waiting } = subject;
    subject.isClosed = true;
    subject.queue.length = 0;
    subject.waiting = null;
    if (!waiting) return;
    waiting.cancel();
    this.#report(waiting.attempt, { problem: `${waiting.problem} ${why}`, againAt: null });
  }

  #start(subject: Subject): void {
    if (subject.isBusy) return;
    const work = this.#work(subject).finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  async #work(subject: Subject): Promise<void> {
    subject.isBusy = true;
    for (let next = take(subject); next; next = take(subject)) await this.#try(subject, next);
    subject.isBusy = false;
  }

  async #try(subject: Subject, attempt: Attempt): Promise<void> {
    const { waitsMs, clock, deliver } = this.#deps;
    const failure = await deliver(attempt, attempt.id);
    if (!failure) {
      this.#report(attempt, null);
      return;
    }
    const tries = attempt.failures + 1;
    const waitMs = waitsMs[attempt.failures];
    if (!failure.isTemporary || waitMs === undefined || subject.isClosed) {
      const problem = tries === 1 ? failure.problem : `${failure.problem} It was tried ${tries} times.`;
      this.#report(attempt, { problem, againAt: null });
      return;
    }
    const cancel = clock.after(waitMs, () => {
      if (subject.waiting) subject.waiting.isDue = true;
      this.#start(subject);
    });
    subject.waiting = { attempt: { ...attempt, failures: tries }, problem: failure.problem, cancel, isDue: false };
    this.#report(attempt, { problem: failure.problem, againAt: new Date(clock.now().getTime() + waitMs) });
  }

  #report({ reported }: Attempt, undelivered: Undelivered | null): void {
    for (const news of reported.values()) this.#deps.report(news, undelivered);
  }
}

/** The next delivery about an endpoint: new news, together with what waits; or what waits, once its time has come. */
function take(subject: Subject): Attempt | null {
  const { waiting, queue } = subject;
  if (queue.length === 0 && !waiting?.isDue) return null;
  const fresh = queue.shift();
  subject.waiting = null;
  if (!waiting) return fresh ?? null;
  waiting.cancel();
  const { attempt } = waiting;
  if (!fresh) return attempt;
  return { ...fresh, ...heldTogether([attempt, fresh]), reported: new Map([...attempt.reported, ...fresh.reported]) };
}
