import { compare, explain, satisfies, validRange } from '@renovatebot/pep440';
import { parse as parseSpecifiers } from '@renovatebot/pep440/lib/specifier.js';
import { displayText } from '../shared/display-text.ts';
import { atKey, type PackageFinding, problem, warning } from './package-finding.ts';

/** A requirement by PEP 508; its specifier and marker are not parsed. */
interface Requirement {
  /** The normalized name, `robot-sdk`. */
  readonly name: string;
  readonly extras: readonly string[];
  /** `>=1.2,<2`; empty for any version. */
  readonly specifier: string;
  /** The address to fetch it from, if given. */
  readonly address: string | null;
}

const MAX_CHARS = 1000;
const REQUIREMENT =
  /^\s*([A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?)\s*(?:\[([A-Z0-9._,\s-]*)\])?\s*(?:@\s*(\S+)|\(([^)]*)\)|([<>=!~][^;]*))?\s*(?:;.*)?$/is;

/** The same for all spellings that a package index, or a file system, treats as the same name (PEP 503). */
export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Without its empty parts, such as after a comma at the end, which Python's own tools ignore. */
export function withoutEmptyParts(range: string): string {
  const parts = range.split(',').filter((part) => part.trim() !== '');
  return parts.join(',');
}

/** Whether this is a range of versions, `>=1.2,<2`; empty for any version. */
export const isVersionRange = (text: string): boolean => Boolean(validRange(withoutEmptyParts(text)));

/** @returns null for an option, a path, or an address without a name */
export function parseRequirement(text: string): Requirement | null {
  const found = text.length <= MAX_CHARS ? REQUIREMENT.exec(text) : null;
  if (!found) return null;
  const [, name = '', extras = '', address = null, inParentheses = '', specifier = ''] = found;
  return {
    name: normalizedName(name),
    extras: extras.split(',').flatMap((extra) => extra.trim() || []),
    specifier: (inParentheses || specifier).trim(),
    address,
  };
}

/** The SDK's distribution, and the name of its package, which some authors use instead. */
const SDK_NAMES: ReadonlySet<string> = new Set(['robot-sdk', 'robot']);

/** Parses a requirement of the SDK under any of its names; null for other packages. */
export function parseSdkRequirement(dependency: string): Requirement | null {
  const requirement = parseRequirement(dependency);
  return requirement && SDK_NAMES.has(requirement.name) ? requirement : null;
}

/** Whether this requires only the shipped SDK, without extras. */
export function isBareSdk(dependency: string): boolean {
  return parseSdkRequirement(dependency)?.extras.length === 0;
}

/** The first requirement of the SDK among dependencies, or null. */
export function sdkRequirement(dependencies: readonly string[]): Requirement | null {
  return dependencies.map(parseSdkRequirement).find((requirement) => requirement !== null) ?? null;
}

/**
 * Checks the shipped SDK against the requirement among dependencies. Any requirement of the same major version is met.
 * @param sdkVersion the version of the shipped SDK, `1.0.0`
 */
export function sdkFinding(dependencies: readonly string[], sdkVersion: string): PackageFinding | null {
  const finding = findingAbout(sdkRequirement(dependencies), sdkVersion);
  const index = dependencies.findIndex((each) => parseSdkRequirement(each) !== null);
  return finding && atKey(finding, 'project', 'dependencies', index);
}

function findingAbout(requirement: Requirement | null, sdkVersion: string): PackageFinding | null {
  if (requirement?.address != null) {
    const from = displayText(requirement.address, 120);
    return warning('sdk-version', `It takes robot-sdk from ${from}; version ${sdkVersion} is used.`);
  }
  const specifier = requirement?.specifier ?? '';
  const wanted = `robot-sdk ${displayText(specifier, 80)}`;
  if (!validRange(specifier)) {
    return problem('bad-dependency', `It asks for ${wanted}, which is not a version range.`);
  }
  if (satisfies(sdkVersion, specifier, { prereleases: true })) return null;
  const allowed = candidates(specifier, sdkVersion).filter((version) => satisfies(version, specifier));
  if (allowed.some((version) => series(version) === series(sdkVersion))) {
    return warning('sdk-version', `It asks for ${wanted}; version ${sdkVersion} is used.`);
  }
  const wantsNewer = allowed.some((version) => compare(version, sdkVersion) > 0);
  return problem(
    'sdk-mismatch',
    `It needs ${wanted}; this Robot Desktop has ${sdkVersion}.`,
    wantsNewer ? 'Update Robot Desktop.' : `Ask the author for a version that works with robot-sdk ${sdkVersion}.`,
  );
}

/** Versions next to each bound. If a specifier allows any version of a major version, it allows one of these. */
function candidates(specifier: string, sdkVersion: string): string[] {
  const [major = 0] = explain(sdkVersion)?.release ?? [];
  const bounds = parseSpecifiers(specifier).flatMap(({ version }) => explain(version) ?? []);
  return [
    `${major}.0`,
    `${major + 1}.0`,
    ...bounds.flatMap(({ public: itself, base_version, epoch, release }) => [
      itself,
      `${base_version}.0.1`,
      ...release.map((part, index) => `${epoch}!${[...release.slice(0, index), part + 1].join('.')}`),
    ]),
  ];
}

function series(version: string): string {
  const { epoch = 0, release = [] } = explain(version) ?? {};
  return `${epoch}!${release[0]}`;
}
