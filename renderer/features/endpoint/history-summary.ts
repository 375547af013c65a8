import type { EndpointHistory, EndpointSample } from '../../../daemon/contract/endpoints/endpoint-history.ts';

/** A row of the table: the use within a few minutes. */
export interface UseRow {
  /** ISO 8601 */
  readonly at: string;
  readonly requests: number;
  readonly failed: number;
  /** The longest median of a span, in milliseconds; null: no answer. */
  readonly latencyMs: number | null;
  readonly memoryBytes: number | null;
}

const ROW_MINUTES = 5;

/** The samples in rows of five minutes, newest first. */
export function rowsOf({ everySeconds, samples }: EndpointHistory): readonly UseRow[] {
  const size = Math.max(1, Math.round((ROW_MINUTES * 60) / everySeconds));
  const rows: UseRow[] = [];
  for (let from = 0; from < samples.length; from += size) {
    const part = samples.slice(from, from + size);
    rows.push({
      at: part[0]?.at ?? '',
      requests: sum(part, ({ requests }) => requests),
      failed: sum(part, ({ failed }) => failed),
      latencyMs: most(part, ({ latencyMs }) => latencyMs?.p50 ?? null),
      memoryBytes: most(part, ({ memoryBytes }) => memoryBytes),
    });
  }
  return rows.reverse();
}

export const sum = (samples: readonly EndpointSample[], of: (sample: EndpointSample) => number): number =>
  samples.reduce((total, sample) => total + of(sample), 0);

/** The largest value; null: there is none. */
export function most(samples: readonly EndpointSample[], of: (sample: EndpointSample) => number | null): number | null {
  const values = samples.map(of).filter((value) => value !== null);
  return values.length === 0 ? null : Math.max(...values);
}
