import { AppName } from '../contract/apps/app-source.ts';
import type { AppManifest } from '../contract/apps/apps.ts';
import { displayText } from '../shared/display-text.ts';
import { emojiOf } from './emoji.ts';
import { readFrontMatter } from './front-matter.ts';
import { readNeeds } from './needs.ts';
import { type PackageFinding, problem } from './package-finding.ts';
import { type Pyproject, parsePyproject } from './pyproject.ts';
import { isBareSdk } from './requirement.ts';

/** The group of entry points in which an app declares itself. */
export const ENTRY_POINT_GROUP = 'robot_apps';

/** `<module>:<Class>`; extras, a former feature of entry points, are ignored. */
const ENTRY_POINT = /^\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*:\s*([A-Za-z_]\w*)\s*(?:\[[\w\s,.-]*\]\s*)?$/;

/** Names of devices on Windows, which cannot be used for files or folders, even with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** The name of a distribution by PEP 508. */
const DISTRIBUTION = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i;
const MAX_DISTRIBUTION = 128;

type ManifestResult =
  | { readonly manifest: AppManifest; readonly pyproject: Pyproject; readonly warnings: readonly PackageFinding[] }
  | { readonly manifest: null; readonly problems: readonly PackageFinding[] };

/** Reads the declarations of a package, without running any of it. */
export function readManifest(pyprojectText: string | null, readmeText: string | null): ManifestResult {
  if (pyprojectText === null) {
    const message = 'There is no pyproject.toml, so this is not a Python package.';
    return refused(problem('no-pyproject', message, 'Choose the folder that holds pyproject.toml.'));
  }
  const pyproject = parsePyproject(pyprojectText);
  if ('code' in pyproject) return refused(pyproject);

  const { project, tool } = pyproject;
  const entry = entryPoint(project['entry-points'] ?? {});
  if ('code' in entry) return refused(entry);
  const badNames = nameFindings(entry.name, project.name);
  const { needs, problems } = readNeeds(tool?.robot ?? {});
  if (badNames.length + problems.length > 0) return refused(...badNames, ...problems);

  const { frontMatter, warnings } = readFrontMatter(readmeText);
  return {
    manifest: {
      ...entry,
      distribution: project.name,
      version: displayText(project.version ?? '0', 64),
      title: displayText(frontMatter.title ?? '', 80) || entry.name,
      description: displayText(frontMatter.short_description ?? '', 300) || displayText(project.description ?? '', 300),
      emoji: emojiOf(frontMatter.emoji ?? ''),
      requiresPython: project['requires-python'] ?? null,
      dependencies: project.dependencies ?? [],
      baseline: tool?.robot?.baseline ?? true,
      needs,
    },
    pyproject,
    warnings,
  };
}

function entryPoint(
  groups: Record<string, Record<string, string>>,
): Pick<AppManifest, 'name' | 'module' | 'className'> | PackageFinding {
  const declared = groups[ENTRY_POINT_GROUP] ?? {};
  const [entry, other] = Object.entries(declared);
  const key = ['project', 'entry-points', ENTRY_POINT_GROUP];
  if (!entry) {
    const message = `pyproject.toml declares no entry point in the group ${ENTRY_POINT_GROUP}, so it does not say which class is the app.`;
    return problem('no-entry-point', message, { key, action: renameAdvice(groups) });
  }
  if (other) {
    const names = displayText(Object.keys(declared).join(', '), 200);
    const message = `pyproject.toml declares several apps (${names}); a package holds one.`;
    return problem('two-entry-points', message, { key: [...key, other[0]] });
  }
  const [name, value] = entry;
  const [, module, className] = ENTRY_POINT.exec(value) ?? [];
  if (module === undefined || className === undefined) {
    const shown = `The entry point "${displayText(name, 80)}" is "${displayText(value, 120)}"`;
    return problem('bad-entry-point', `${shown}, not "<package>.main:<ClassName>".`, { key: [...key, name] });
  }
  return { name, module, className };
}

function refused(...problems: readonly PackageFinding[]): ManifestResult {
  return { manifest: null, problems };
}

/** Whether an install of the app needs the package index, for packages other than the shipped SDK. */
export function needsPackageIndex({ baseline, dependencies }: AppManifest): boolean {
  return baseline || !dependencies.every(isBareSdk);
}

/** For an app that was written for another robot, whose entry point is in that robot's group. */
function renameAdvice(groups: Record<string, Record<string, string>>): string | undefined {
  const others = Object.entries(groups).flatMap(([group, entries]) =>
    Object.values(entries).some((value) => ENTRY_POINT.test(value)) ? [displayText(group, 80)] : [],
  );
  if (others.length === 0) return undefined;
  const named = others.slice(0, 3).join(' or ');
  return `If the app is declared in ${named}, rename that group to ${ENTRY_POINT_GROUP}. Then install it again.`;
}

/** Checks names that become folders and command arguments. */
export function nameFindings(entryPoint: string, distribution: string): PackageFinding[] {
  const app = nameProblem(entryPoint) ?? (AppName.safeParse(entryPoint).success ? null : allowedCharacters(64));
  const isDistribution = DISTRIBUTION.test(distribution) && distribution.length <= MAX_DISTRIBUTION;
  const project = nameProblem(distribution) ?? (isDistribution ? null : allowedCharacters(MAX_DISTRIBUTION));
  const findings: PackageFinding[] = [];
  if (app !== null) {
    const message = `"${displayText(entryPoint, 80)}" cannot be the name of an app: ${app}.`;
    findings.push(problem('bad-name', message, { key: ['project', 'entry-points', ENTRY_POINT_GROUP, entryPoint] }));
  }
  if (project !== null) {
    const message = `"${displayText(distribution, 80)}" cannot be the name of a project: ${project}.`;
    findings.push(problem('bad-name', message, { key: ['project', 'name'] }));
  }
  return findings;
}

function nameProblem(name: string): string | null {
  if (name.startsWith('-')) return 'it would be read as an option';
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return 'it is a path';
  if (DEVICE.test(name)) return 'it is the name of a device on Windows';
  return null;
}

function allowedCharacters(most: number): string {
  return `letters, digits, and between them ".", "_" and "-", at most ${most}`;
}
