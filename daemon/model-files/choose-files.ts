import { posix } from 'node:path';
import type { HubFile } from '../hub/repository-files.ts';
import { ModelFileError } from './errors.ts';

/** The name of a part of a split model, which is loaded by its first part. */
const PART = /^(?<prefix>.*)-(?<part>\d{5})-of-(?<total>\d{5})\.gguf$/;
const MAX_SHOWN = 5;

/**
 * Chooses a model's file from those of a repository; every part of a split model.
 * @param wanted its path, or a pattern with `*` or `?` that leaves one model
 * @returns the first part first
 * @throws ModelFileError `missing` or `ambiguous`
 */
export function chooseFiles(files: readonly HubFile[], wanted: string, repository: string): readonly HubFile[] {
  const found = files.filter(({ path }) => isChosen(path, wanted));
  const sets = Map.groupBy(found, ({ path }) => setOf(path));
  const [only, ...others] = sets.values();
  if (!only) {
    const there = shown(files.map(({ path }) => path).filter((path) => path.endsWith('.gguf')));
    throw new ModelFileError(
      'missing',
      `The model ${repository} has no file ${wanted}.`,
      there === '' ? 'Choose a repository with .gguf files.' : `Choose one of its files: ${there}.`,
    );
  }
  if (others.length > 0) {
    throw new ModelFileError(
      'ambiguous',
      `${sets.size} models in ${repository} match ${wanted}.`,
      `Choose one of them: ${shown([...sets.values()].map(([first]) => first?.path ?? ''))}.`,
    );
  }
  return wholeSet(files, only[0] as HubFile, repository);
}

/** The models among the files of a repository, the files of each; those of a split model in the order of its parts. */
export function modelsOf(files: readonly HubFile[]): readonly (readonly HubFile[])[] {
  const found = files.filter(({ path }) => isChosen(path, '*.gguf')).sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...Map.groupBy(found, ({ path }) => setOf(path)).values()];
}

/** Whether a pattern chooses a file, or another part of its model. */
export function isChosen(path: string, wanted: string): boolean {
  if (!isWildcard(wanted)) return setOf(path) === setOf(wanted);
  // The vision file of a model lies beside it, and has its name in common patterns.
  if (isVision(path) && !/mmproj/i.test(wanted)) return false;
  return path.endsWith('.gguf') && matchesWildcard(path, wanted);
}

const isVision = (path: string) => /mmproj/i.test(posix.basename(path));

/** Equal for the parts of one model. */
function setOf(path: string): string {
  const { prefix, total } = PART.exec(path)?.groups ?? {};
  return prefix === undefined ? path : `${prefix}-of-${total}`;
}

/** The paths of every part of a model, the first one first; one path, when it has no parts. */
export function partsOf(path: string): readonly string[] {
  const { prefix, total } = PART.exec(path)?.groups ?? {};
  if (prefix === undefined) return [path];
  return Array.from(
    { length: Number(total) },
    (_, at) => `${prefix}-${String(at + 1).padStart(5, '0')}-of-${total}.gguf`,
  );
}

function wholeSet(files: readonly HubFile[], one: HubFile, repository: string): readonly HubFile[] {
  return partsOf(one.path).map((path) => {
    const part = files.find((file) => file.path === path);
    if (part) return part;
    throw new ModelFileError('missing', `The model ${repository} lacks the part ${path}.`, 'Choose another file.');
  });
}

function shown(paths: readonly string[]): string {
  const rest = paths.length > MAX_SHOWN ? `, and ${paths.length - MAX_SHOWN} more` : '';
  return paths.slice(0, MAX_SHOWN).join(', ') + rest;
}

/** Whether a text matches a pattern, in which `*` stands for any characters, slashes too, and `?` for one. */
function matchesWildcard(text: string, pattern: string): boolean {
  let [at, of] = [0, 0];
  /** The position of the last `*`, and of the text when it was met: the place to try again. */
  let [star, retryAt] = [-1, 0];
  while (at < text.length) {
    if (pattern[of] === '*') {
      [star, retryAt] = [of++, at];
    } else if (pattern[of] === '?' || pattern[of] === text[at]) {
      at++;
      of++;
    } else if (star >= 0) {
      [at, of] = [++retryAt, star + 1];
    } else return false;
  }
  while (pattern[of] === '*') of++;
  return of === pattern.length;
}

const isWildcard = (path: string) => /[*?]/.test(path);
