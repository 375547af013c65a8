/** Something that a check of a package found. A problem keeps it from being installed, a warning does not. */
export interface Finding {
  readonly severity: 'problem' | 'warning';
  /** A stable word, `no-entry-point`. */
  readonly code: string;
  /** What is the matter, in a sentence or two. */
  readonly message: string;
}

export function problem(code: string, message: string): Finding {
  return { severity: 'problem', code, message };
}
