import type { RuleId } from './rules.ts';
import type { KeyPath } from './toml-lines.ts';

/** The finding of a package check. A problem prevents the install, a warning does not. */
export interface PackageFinding {
  readonly severity: 'problem' | 'warning';
  /** A stable code, `no-entry-point`. */
  readonly code: RuleId;
  /** The finding for people, in a sentence or two. */
  readonly message: string;
  /** The action, if it is not to fix the package. */
  readonly action?: string;
  /** The file, with slashes from the folder; none: the folder as a whole. */
  readonly file?: string;
  /** The line, counted from 1; none: the file as a whole. */
  readonly line?: number;
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

/** A finding about a key of pyproject.toml, whose line is found when all findings are known. */
export interface KeyedFinding extends PackageFinding {
  readonly key?: KeyPath;
}

export function problem(code: RuleId, message: string, action?: string): PackageFinding {
  return { severity: 'problem', code, message, ...(action !== undefined && { action }) };
}

export function warning(code: RuleId, message: string, action?: string): PackageFinding {
  return { severity: 'warning', code, message, ...(action !== undefined && { action }) };
}

/** The finding at a place in a file. @param line null: the file as a whole */
export function inFile(finding: PackageFinding, file: string, line: number | null = null): PackageFinding {
  return { ...finding, file, ...(line !== null && { line }) };
}

/** The finding at a key of pyproject.toml. */
export function atKey(finding: PackageFinding, ...key: KeyPath): KeyedFinding {
  return { ...finding, file: 'pyproject.toml', key };
}
