/** How long the hub is waited for. */
export interface HubPatience {
  /** For the beginning of an answer. */
  readonly answerMs: number;
  /** For the next bytes of an answer. */
  readonly stallMs: number;
  /** How often a request is repeated that the hub was too busy for. */
  readonly retries: number;
  /** Before the first of them where the hub does not say; twice as long before each further one. */
  readonly retryMs: number;
  /** For all of them together. */
  readonly retriesMs: number;
}

export const usualPatience: HubPatience = {
  answerMs: 30_000,
  stallMs: 30_000,
  retries: 3,
  retryMs: 1_000,
  retriesMs: 60_000,
};

const busy: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * How long to wait before a request is repeated.
 * @param answer.retryAfter the header: seconds or a date
 * @param soFar how often it was repeated, and for how long that was waited
 * @returns null: it is not repeated
 */
export function retryDelayMs(
  { status, retryAfter }: { status: number; retryAfter: string | null },
  soFar: { retries: number; waitedMs: number },
  { retries, retryMs, retriesMs }: HubPatience,
  nowMs: number,
): number | null {
  if (!busy.has(status) || soFar.retries >= retries) return null;
  const delayMs = asked(retryAfter, nowMs) ?? retryMs * 2 ** soFar.retries;
  return soFar.waitedMs + delayMs > retriesMs ? null : delayMs;
}

function asked(retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null) return null;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
