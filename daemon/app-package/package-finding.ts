/** The finding of a package check. A problem prevents the install, a warning does not. */
export interface PackageFinding {
  readonly severity: 'problem' | 'warning';
  /** A stable code, `no-entry-point`. */
  readonly code: string;
  /** The finding for people, in a sentence or two. */
  readonly message: string;
  /** The action, if it is not to fix the package. */
  readonly action?: string;
  /** The version of a Python whose download solves it, if the user accepts that. */
  readonly pythonDownload?: string;
  /** The apps in folders below, where this folder is none. */
  readonly apps?: readonly AppBelow[];
}

/** An app in a folder below. */
export interface AppBelow {
  readonly name: string;
  /** The folder from here, with slashes, `apps/dance`. */
  readonly folder: string;
}

export function problem(code: string, message: string, action?: string): PackageFinding {
  return { severity: 'problem', code, message, ...(action !== undefined && { action }) };
}

export function warning(code: string, message: string): PackageFinding {
  return { severity: 'warning', code, message };
}
