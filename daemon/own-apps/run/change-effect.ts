import { isIconFile } from '../../app-package/icon/package-icon.ts';
import { isOmitted } from '../../app-package/omitted-files.ts';

/**
 * The effect of the change of a file on a running app, from the least to the most. `none`: it goes on. `description`: its
 * title or icon may be another. `declarations`: its environment may be out of date. `code`: it starts again.
 */
const changeEffects = ['none', 'description', 'declarations', 'code'] as const;
export type ChangeEffect = (typeof changeEffects)[number];

/** Folders at the top that are not part of the app. */
const besideTheApp = /^(?:tests?|docs?|examples?)\//;
/** Files that editors write beside the one that is edited. */
const editorsFile = /^(?:\.#.*|\.?.*\.sw[a-z]|#.*#|.*~|\..*\.(?:tmp|kate-swp)|.*___jb_(?:tmp|old)___)$/;

/** Whether the watch can leave out a file or folder with all that is below. @param path with slashes from the app's folder */
export function isUnwatched(path: string): boolean {
  const parts = path.split('/');
  return parts.some((part, depth) => isOmitted(part, depth === 0) || (part.startsWith('.') && part !== '.'));
}

/** Whether a file can have an effect at all. @param path with slashes from the app's folder */
export function isWatchedFile(path: string): boolean {
  return effectOf(path, '') !== 'none';
}

/**
 * The effect of the change of a file. Only Python files are code: an app may itself write into its folder, and would start
 * again without end. The files of its settings page are read again for each request.
 * @param path with slashes from the app's folder
 * @param importRoot the folder that holds its package, in the same way; empty: the top
 */
export function effectOf(path: string, importRoot: string): ChangeEffect {
  const name = path.split('/').at(-1) ?? path;
  if (isUnwatched(path) || editorsFile.test(name)) return 'none';
  if (path === 'pyproject.toml') return 'declarations';
  if (path === 'README.md' || isIconFile(path)) return 'description';
  const isInside = importRoot === '' ? !besideTheApp.test(path) : path.startsWith(`${importRoot}/`);
  return isInside && name.endsWith('.py') && name !== 'conftest.py' ? 'code' : 'none';
}

/** The effect of several changes together. */
export function greatestEffect(effects: Iterable<ChangeEffect>): ChangeEffect {
  return [...effects].reduce((a, b) => (changeEffects.indexOf(b) > changeEffects.indexOf(a) ? b : a), 'none');
}
