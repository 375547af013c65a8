import type { JobFailure } from '../../contract/jobs.ts';

/** Recognizes one reason why a program failed. */
export interface FailureRule {
  readonly reason: JobFailure['reason'];
  /** Matches a line of the program's output. */
  readonly sign: RegExp;
  readonly message: string;
  readonly action: string;
}

/** The first rule whose sign matches one of the lines, else the last rule. */
export function ruleFor(rules: readonly [...FailureRule[], FailureRule], lines: readonly string[]): FailureRule {
  const [last] = rules.slice(-1) as [FailureRule];
  return rules.find(({ sign }) => lines.some((line) => sign.test(line))) ?? last;
}
