import type { Aim, Row } from './rows.ts';
import type { Summary } from './samples.ts';

export interface FigureOptions {
  /** Few samples: shows that the figure can be taken, not what it is. */
  readonly quick: boolean;
}

/** Something about the product that can be measured, taken beside what it is compared with. */
export interface Figure {
  readonly name: string;
  /** From where to where, in a sentence. */
  readonly measures: string;
  /** The comparison, measured alternately in the same run; null: none. */
  readonly beside: string | null;
  /** @throws NotMeasurable, or any other error; either way nothing of it is left behind */
  measure(options: FigureOptions): Promise<readonly Row[]>;
}

/** This machine lacks what the figure needs; the message says what. */
export class NotMeasurable extends Error {}

/** A row of the report whose aim, if there is one, follows from its comparison. */
export function row<Beside extends Summary | null>(
  label: string,
  unit: string,
  { ours, beside }: { readonly ours: Summary; readonly beside: Beside },
  aim: (beside: Beside) => Aim | null = () => null,
): Row {
  const aimed = aim(beside);
  return { label, unit, ours, beside, aim: aimed, met: aimed && isMet(ours, aimed) };
}

function isMet({ median, p99 }: Summary, { most = Infinity, mostAtP99 = Infinity }: Aim): boolean {
  return median <= most && p99 <= mostAtP99;
}
