/** The finding of a package check. A problem prevents the install, a warning does not. */
export interface PackageFinding {
  readonly severity: 'problem' | 'warning';
  /** A stable code, `no-entry-point`. */
  readonly code: string;
  /** The finding for people, in a sentence or two. */
  readonly message: string;
  /** The action, if it is not to fix the package. */
  readonly action?: string;
}

export function problem(code: string, message: string, action?: string): PackageFinding {
  return { severity: 'problem', code, message, ...(action !== undefined && { action }) };
}

export function warning(code: string, message: string): PackageFinding {
  return { severity: 'warning', code, message };
}
