import { satisfies } from '@renovatebot/pep440';
import { parse as parseSpecifiers } from '@renovatebot/pep440/lib/specifier.js';
import { displayText } from '../shared/display-text.ts';
import { type PackageFinding, problem, warning } from './package-finding.ts';
import { isVersionRange, withoutEmptyParts } from './requirement.ts';

/** A Python that can run apps. */
export interface HostPython {
  /** `3.11.7` */
  readonly version: string;
  /** Its top-level modules. */
  readonly standardModules: ReadonlySet<string>;
}

/** The Python for an app, chosen by its `requires-python`. */
export interface PythonChoice<P extends HostPython = HostPython> {
  /** null: no installed one suits the app. */
  readonly chosen: P | null;
  /** The Python that runs apps without a requirement. */
  readonly preferred: P;
  /** The versions of all installed Pythons that were considered, the newest first. */
  readonly installed: readonly string[];
  /** A version that can be downloaded if the user accepts it; null: none, or one is chosen. */
  readonly download: string | null;
}

/** The Pythons that a range may mean, far beyond those that exist. */
const MINORS = Array.from({ length: 60 }, (_, at) => at + 10);
/** Those that apps no longer run on. */
const OLD = ['2.7', ...Array.from({ length: 10 }, (_, minor) => `3.${minor}`)];
const PATCHES = Array.from({ length: 30 }, (_, at) => at);

/** Checks whether there is a Python for an app. */
export function pythonFinding(
  appName: string,
  requiresPython: string | null,
  { chosen, installed, download }: PythonChoice,
): PackageFinding | null {
  if (requiresPython === null) return null;
  const key = ['project', 'requires-python'];
  if (!isPythonRange(requiresPython)) {
    const shown = displayText(requiresPython, 80);
    return warning('bad-requires-python', `Its "requires-python" is "${shown}", which is not a version range.`, {
      key,
    });
  }
  if (chosen) return null;
  const range = describeRange(requiresPython, installed);
  const message = `${appName} needs Python ${range}; this machine has ${listOf(installed, requiresPython)}.`;
  const finding = problem('python-version', message, { key, action: actionFor(requiresPython, range, download) });
  return download === null ? finding : { ...finding, pythonDownload: download };
}

function actionFor(requiresPython: string, range: string, download: string | null): string {
  if (download !== null) return `Download Python ${minorOf(download)} and install the app with it.`;
  const fits = (minor: string) => PATCHES.some((patch) => fitsPython(requiresPython, `${minor}.${patch}`));
  if (MINORS.some((minor) => fits(`3.${minor}`)))
    return `Install Python ${range} from your system or python.org, then install the app again.`;
  if (OLD.some(fits)) return 'Apps run on Python 3.10 or newer: ask its author to support one of these.';
  return 'There is no such Python: ask its author to correct "requires-python".';
}

/** `3.12.4` as "3.12". */
export function minorOf(version: string): string {
  return version.replace(/^(\d+\.\d+)\..*/, '$1');
}

/** "3.11 and 3.13": without the third number, unless the range cannot be understood without it. */
function listOf(versions: readonly string[], requiresPython: string): string {
  const isExact = /\d+\.\d+\.\d|<=|==(?!\s*\d+(?:\.\d+)?\.\*)/.test(requiresPython);
  const shown = [...new Set(isExact ? versions : versions.map(minorOf))].reverse();
  return new Intl.ListFormat('en-GB').format(shown);
}

const MAX_CHARS = 200;

/** Whether a `requires-python` can be read. */
function isPythonRange(requiresPython: string): boolean {
  return requiresPython.length <= MAX_CHARS && isVersionRange(requiresPython);
}

/**
 * Whether a Python suits an app. A range that cannot be read, like none, excludes no version.
 * @param version `3.11.7`
 */
export function fitsPython(requiresPython: string | null, version: string): boolean {
  if (requiresPython === null || !isPythonRange(requiresPython)) return true;
  return satisfies(version, withoutEmptyParts(requiresPython), { prereleases: true });
}

/**
 * `>=3.10,<3.11` as "3.10 or newer and older than 3.11".
 * @param versions those that are there; an exception that excludes none of them is left out
 */
function describeRange(requiresPython: string, versions: readonly string[]): string {
  return parseSpecifiers(withoutEmptyParts(requiresPython))
    .filter(({ operator, version, prefix }) => {
      const specifier = `!=${version}${prefix ?? ''}`;
      return operator !== '!=' || versions.some((each) => !satisfies(each, specifier, { prereleases: true }));
    })
    .map(({ operator, version, prefix }) => {
      const shown = `${version}${prefix ?? ''}`;
      return bounds[operator]?.(shown) ?? shown;
    })
    .join(' and ');
}

/** The words for a bound; another operator is the version itself. */
const bounds: Readonly<Record<string, (version: string) => string>> = {
  '>=': (version) => `${version} or newer`,
  '>': (version) => `newer than ${version}`,
  '<=': (version) => `${version} or older`,
  '<': (version) => `older than ${version}`,
  '!=': (version) => `other than ${version}`,
  '~=': (version) => `${version} or newer and like ${version.replace(/\.\d+$/, '.*')}`,
};
