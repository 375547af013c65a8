import type { JobFailure } from '../../contract/jobs.ts';

/** A reason why a program failed, and how it is recognised. */
export interface FailureRule {
  readonly reason: JobFailure['reason'];
  /** In a line that the program wrote. */
  readonly sign: RegExp;
  readonly message: string;
  readonly action: string;
}

/** The first rule whose sign is in one of the lines, else the last rule. */
export function ruleFor(rules: readonly [...FailureRule[], FailureRule], lines: readonly string[]): FailureRule {
  const [last] = rules.slice(-1) as [FailureRule];
  return rules.find(({ sign }) => lines.some((line) => sign.test(line))) ?? last;
}
