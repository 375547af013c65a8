import type { HeldBack } from './news.ts';

export const REPETITION_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;

/** `held`: what was held back before; `until`: the time at which it may be sent, in ms. */
export type Decision =
  | { readonly send: true; readonly held: HeldBack | null }
  | { readonly send: false; readonly until: number };

interface Known {
  readonly sentAt: number;
  readonly held: HeldBack | null;
}

/**
 * Decides which news a channel may deliver now: each key at most once in ten minutes, and over all at most a number an
 * hour. Time is passed in; one that was set back opens the limit.
 */
export class NoticeLimit {
  readonly #perHour: number;
  readonly #known = new Map<string, Known>();
  /** The times of the deliveries of the last hour, oldest first. */
  #sent: number[] = [];

  constructor(perHour = Number.POSITIVE_INFINITY) {
    this.#perHour = perHour;
  }

  /** For news that have just come. If they may not be sent, they are counted as held back. */
  offer(key: string, now: Date): Decision {
    const atMs = now.getTime();
    const until = this.#closedUntil(key, atMs);
    const { held = null, sentAt = Number.NEGATIVE_INFINITY } = this.#known.get(key) ?? {};
    if (until === null) return this.#send(key, atMs, held);
    this.#known.set(key, { sentAt, held: { count: (held?.count ?? 0) + 1, since: held?.since ?? now } });
    return { send: false, until };
  }

  /** For the newest of the news that are held back, which is not counted with the others. null: none are. */
  retry(key: string, now: Date): Decision | null {
    const atMs = now.getTime();
    const held = this.#known.get(key)?.held;
    if (!held) return null;
    const until = this.#closedUntil(key, atMs);
    if (until !== null) return { send: false, until };
    return this.#send(key, atMs, held.count === 1 ? null : { ...held, count: held.count - 1 });
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  #send(key: string, atMs: number, held: HeldBack | null): Decision {
    this.#known.set(key, { sentAt: atMs, held: null });
    this.#sent.push(atMs);
    return { send: true, held };
  }

  #closedUntil(key: string, atMs: number): number | null {
    this.#sent = this.#sent.filter((sentAt) => isWithin(HOUR_MS, sentAt, atMs));
    for (const [each, { sentAt, held }] of this.#known) {
      if (held === null && !isWithin(REPETITION_MS, sentAt, atMs)) this.#known.delete(each);
    }
    const sentAt = this.#known.get(key)?.sentAt;
    const keyOpens = sentAt !== undefined && isWithin(REPETITION_MS, sentAt, atMs) ? sentAt + REPETITION_MS : null;
    const hourOpens = this.#sent.length < this.#perHour ? null : (this.#sent[0] as number) + HOUR_MS;
    if (keyOpens === null && hourOpens === null) return null;
    return Math.max(keyOpens ?? 0, hourOpens ?? 0);
  }
}

const isWithin = (limitMs: number, fromMs: number, atMs: number) => atMs >= fromMs && atMs < fromMs + limitMs;
