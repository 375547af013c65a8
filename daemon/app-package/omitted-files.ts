/** Files of other tools in a package's folder. A build with them could include deleted files. */
const omitted: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.venv',
  'venv',
  'node_modules',
  '__pycache__',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  'Icon\r', // a Mac folder's own icon
  '.idea',
  '.vscode',
]);
/** `.env` and its variants, but not the examples that belong to an app. */
const SETTINGS_WITH_SECRETS = /^\.env(?!\.(?:example|sample|template|dist)$)(?:\..+)?$/i;

/** Whether a file holds variables of its author, which are never published. @param name without its folder */
export const holdsSecrets = (name: string): boolean => SETTINGS_WITH_SECRETS.test(name);

const omittedAtTop: ReadonlySet<string> = new Set(['build', 'dist']);

/**
 * Whether an install leaves out an entry of a package's folder.
 * @param isAtTop whether it is in the package's folder itself, not below
 */
export function isOmitted(name: string, isAtTop: boolean): boolean {
  return omitted.has(name) || name.endsWith('.egg-info') || (isAtTop && omittedAtTop.has(name));
}
