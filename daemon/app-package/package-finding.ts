/** Something that a check of a package found. A problem keeps it from being installed, a warning does not. */
export interface PackageFinding {
  readonly severity: 'problem' | 'warning';
  /** A stable word, `no-entry-point`. */
  readonly code: string;
  /** What is the matter, in a sentence or two. */
  readonly message: string;
  /** What to do about it, where that is not to mend the package. */
  readonly action?: string;
}

export function problem(code: string, message: string, action?: string): PackageFinding {
  return { severity: 'problem', code, message, ...(action !== undefined && { action }) };
}

export function warning(code: string, message: string): PackageFinding {
  return { severity: 'warning', code, message };
}
