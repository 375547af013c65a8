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
  /** The key of pyproject.toml that it is about, whose line `withLines` finds when all findings are known. */
  readonly key?: KeyPath;
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

/** Beside the message of a finding: its action, and its place, by a key of pyproject.toml or by a file and a line. */
type More = Pick<PackageFinding, 'file' | 'key'> & {
  readonly action?: string | undefined;
  readonly line?: number | null | undefined;
};

const finding =
  (severity: PackageFinding['severity']) =>
  (code: RuleId, message: string, more: More | string = {}): PackageFinding => {
    const { action, file, line, key }: More = typeof more === 'string' ? { action: more } : more;
    const made = { severity, code, message, ...(action !== undefined && { action }) };
    if (key) return atKey(made, ...key);
    return file === undefined ? made : inFile(made, file, line);
  };
export const problem = finding('problem');
export const warning = finding('warning');

/** The finding at a place in a file. @param line null: the file as a whole */
export function inFile(found: PackageFinding, file: string, line: number | null = null): PackageFinding {
  return { ...found, file, ...(line !== null && { line }) };
}

/** The finding at a key of pyproject.toml. */
export function atKey(found: PackageFinding, ...key: KeyPath): PackageFinding {
  return { ...found, file: 'pyproject.toml', key };
}
