const SECOND_MS = 1_000;
/** The seconds of "now". */
const SECONDS = 60;

/** Tokens of one answer, and the time in which they were generated, in milliseconds of a clock. */
export interface Generated {
  readonly tokens: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The speed at which an endpoint generates: its tokens by the seconds in which it generated any. Tokens of answers at the
 * same time add up. Of a fixed size: it keeps the last minute, and two sums.
 */
export class TokenRate {
  readonly #minute = new LastMinute();
  #tokens = 0;
  #ms = 0;

  /** An answer has ended. Of a longer one its last minute counts. */
  add(generated: Generated): void {
    const added = this.#minute.add(generated);
    this.#tokens += added.tokens;
    this.#ms += added.ms;
  }

  /**
   * Tokens a second in the last minute.
   * @param underWay the answers that have not ended
   * @returns null: none were generated
   */
  lastMinute(nowMs: number, underWay: readonly Generated[]): number | null {
    const minute = this.#minute.copy();
    for (const generated of underWay) minute.add(generated);
    return minute.perSecond(nowMs);
  }

  /** Tokens a second in all answers that have ended; null: none were generated. */
  get average(): number | null {
    return perSecond(this.#tokens, this.#ms);
  }
}

/** The tokens of each of the last seconds, and the time in which they were generated. */
class LastMinute {
  readonly #tokens = new Float64Array(SECONDS);
  readonly #ms = new Float64Array(SECONDS);
  /** The number of the newest second. */
  #newest = -1;

  copy(): LastMinute {
    const copy = new LastMinute();
    copy.#tokens.set(this.#tokens);
    copy.#ms.set(this.#ms);
    copy.#newest = this.#newest;
    return copy;
  }

  /** Spreads tokens evenly over their time. @returns the part that fell into the last minute */
  add({ tokens, fromMs, toMs }: Generated): { readonly tokens: number; readonly ms: number } {
    const added = { tokens: 0, ms: 0 };
    if (tokens <= 0 || toMs <= fromMs) return added;
    const last = Math.ceil(toMs / SECOND_MS) - 1;
    this.#moveTo(last);
    const first = Math.max(Math.floor(fromMs / SECOND_MS), this.#newest - SECONDS + 1);
    for (let second = first; second <= last; second++) {
      const ms = Math.min(toMs, (second + 1) * SECOND_MS) - Math.max(fromMs, second * SECOND_MS);
      const at = second % SECONDS;
      // Answers at the same time share the second. Within its part they are taken for one after the other.
      const before = this.#ms[at] as number;
      const after = Math.min(SECOND_MS, before + ms);
      const part = (tokens * ms) / (toMs - fromMs);
      this.#ms[at] = after;
      this.#tokens[at] = (this.#tokens[at] as number) + part;
      added.tokens += part;
      added.ms += after - before;
    }
    return added;
  }

  perSecond(nowMs: number): number | null {
    this.#moveTo(Math.floor(nowMs / SECOND_MS));
    return perSecond(sumOf(this.#tokens), sumOf(this.#ms));
  }

  /** Forgets the seconds that are older than a minute before this one. */
  #moveTo(second: number): void {
    for (let each = Math.max(this.#newest, second - SECONDS) + 1; each <= second; each++) {
      this.#tokens[each % SECONDS] = 0;
      this.#ms[each % SECONDS] = 0;
    }
    this.#newest = Math.max(this.#newest, second);
  }
}

function perSecond(tokens: number, ms: number): number | null {
  return tokens > 0 && ms > 0 ? Math.round((100 * tokens * SECOND_MS) / ms) / 100 : null;
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
