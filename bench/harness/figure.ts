import type { Aim, Row } from './rows.ts';
import type { Summary } from './samples.ts';

export interface FigureOptions {
  /** Few samples: shows that the figure can be measured, not its value. */
  readonly quick: boolean;
  /** The folder of another checkout, built, such as the commit before; null: nothing is compared with it. */
  readonly besideDir: string | null;
}

/** The reference of figures that compare the whole product with itself. */
export const OTHER_CHECKOUT = 'the same of the checkout that --beside names, if it is given';

/** A measurement of the product, next to its reference. */
export interface Figure {
  readonly name: string;
  /** A phrase that says what is measured, from which moment to which. */
  readonly measures: string;
  /** The reference, measured alternately in the same run; null: none. */
  readonly beside: string | null;
  /** @throws NotMeasurable, or any other error; leaves no process or file behind */
  measure(options: FigureOptions): Promise<readonly Row[]>;
}

/** The machine lacks something that the figure needs; the message names it. */
export class NotMeasurable extends Error {}

/** Makes a row of the report. @param aim computes the aim from the reference; null: no aim */
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
