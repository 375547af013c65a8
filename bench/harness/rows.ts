import type { Summary } from './samples.ts';

/** The limit for the median or the 99th percentile. A miss is reported and fails nothing: machines differ. */
export interface Aim {
  readonly text: string;
  readonly most?: number;
  readonly mostAtP99?: number;
}

/** One row of the report, in the table and in its JSON. */
export interface Row {
  readonly label: string;
  readonly unit: string;
  readonly ours: Summary;
  readonly beside: Summary | null;
  readonly aim: Aim | null;
  readonly met: boolean | null;
}

/** The result of a figure. */
export interface FigureReport {
  readonly name: string;
  readonly measures: string;
  readonly beside: string | null;
  readonly state: 'measured' | 'skipped' | 'failed';
  /** Why there are no rows; null where there are. */
  readonly reason: string | null;
  readonly tookS: number;
  readonly rows: readonly Row[];
}
