import { satisfies, validRange } from '@renovatebot/pep440';
import { parse as parseSpecifiers } from '@renovatebot/pep440/lib/specifier.js';

const MAX_CHARS = 200;

/** Whether a `requires-python` can be read. */
export function isPythonRange(requiresPython: string): boolean {
  return requiresPython.length <= MAX_CHARS && Boolean(validRange(withoutEmptyParts(requiresPython)));
}

/**
 * Whether a Python suits an app. A range that cannot be read, like none, excludes no version.
 * @param version `3.11.7`
 */
export function fitsPython(requiresPython: string | null, version: string): boolean {
  if (requiresPython === null || !isPythonRange(requiresPython)) return true;
  return satisfies(version, withoutEmptyParts(requiresPython), { prereleases: true });
}

/** Python's own tools ignore them, such as after a comma at the end. */
function withoutEmptyParts(range: string): string {
  const parts = range.split(',').filter((part) => part.trim() !== '');
  return parts.join(',');
}

/**
 * `>=3.10,<3.11` as "3.10 or newer and older than 3.11".
 * @param versions those that are there; an exception that excludes none of them is left out
 */
export function describeRange(requiresPython: string, versions: readonly string[]): string {
  return parseSpecifiers(withoutEmptyParts(requiresPython))
    .filter(({ operator, version, prefix }) => {
      const specifier = `!=${version}${prefix ?? ''}`;
      return operator !== '!=' || versions.some((each) => !satisfies(each, specifier, { prereleases: true }));
    })
    .map(({ operator, version, prefix }) => bound(operator, `${version}${prefix ?? ''}`))
    .join(' and ');
}

function bound(operator: string, version: string): string {
  switch (operator) {
    case '>=':
      return `${version} or newer`;
    case '>':
      return `newer than ${version}`;
    case '<=':
      return `${version} or older`;
    case '<':
      return `older than ${version}`;
    case '!=':
      return `other than ${version}`;
    case '~=':
      return `${version} or newer and like ${version.replace(/\.\d+$/, '.*')}`;
    default:
      return version;
  }
}
