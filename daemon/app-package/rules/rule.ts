/** A rule that a package can break. */
export interface Rule {
  /** `either`: it depends on the place. */
  readonly severity: 'problem' | 'warning' | 'either';
  /** The rule in a few words, for lists of rules. */
  readonly title: string;
  /** Why it is there, and what to do, in a sentence or two. */
  readonly help: string;
  /** Whether `fix` repairs it. */
  readonly fixable?: true;
}
