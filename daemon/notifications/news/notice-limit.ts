import type { HeldBack } from './news.ts';

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
