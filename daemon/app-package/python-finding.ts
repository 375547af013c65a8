import { satisfies, validRange } from '@renovatebot/pep440';
import { parse as parseSpecifiers } from '@renovatebot/pep440/lib/specifier.js';
import { displayText } from '../shared/display-text.ts';
import { type PackageFinding, problem, warning } from './package-finding.ts';

const MAX_CHARS = 200;

/**
 * Checks the Python that will run an app against its `requires-python`.
 * @param pythonVersion `3.11.7`
 */
export function pythonFinding(
  appName: string,
  requiresPython: string | null,
  pythonVersion: string,
): PackageFinding | null {
  if (requiresPython === null) return null;
  if (requiresPython.length > MAX_CHARS || !validRange(requiresPython)) {
    const shown = displayText(requiresPython, 80);
    return warning('bad-requires-python', `Its "requires-python" is "${shown}", which is not a version range.`);
  }
  if (satisfies(pythonVersion, requiresPython, { prereleases: true })) return null;
  // A range with a third number needs the full version to be understood.
  const here = /\d+\.\d+\.\d|<=|==/.test(requiresPython)
    ? pythonVersion
    : pythonVersion.replace(/^(\d+\.\d+)\..*/, '$1');
  return problem(
    'python-version',
    `${appName} needs Python ${describeRange(requiresPython, pythonVersion)}; this machine has ${here}.`,
    'Choose another Python with --python.',
  );
}

/** `>=3.10,<3.11` as "3.10 or newer and older than 3.11". */
function describeRange(specifier: string, pythonVersion: string): string {
  return parseSpecifiers(specifier)
    .filter(({ operator, version, prefix }) => {
      const isException = operator === '!=';
      return !isException || !satisfies(pythonVersion, `!=${version}${prefix ?? ''}`, { prereleases: true });
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
