import { valid as isVersion } from '@renovatebot/pep440';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { ENTRY_POINT_GROUP } from '../names.ts';
import { atKey, type KeyedFinding, problem, warning } from '../package-finding.ts';
import type { Pyproject } from '../pyproject.ts';
import { isBareSdk } from '../sdk-requirement.ts';

/** The allowed keys of `[tool.robot]`. */
const SETTINGS = ['baseline', 'needs'];
const MAX_SETTINGS_NAMED = 5;

/** Findings about `[project]` and `[tool.robot]` that an install does without. */
export function projectFindings({ project, tool }: Pyproject, manifest: AppManifest | null): KeyedFinding[] {
  const dynamic = new Set(project.dynamic);
  return [
    ...versionFindings(project.version, dynamic.has('version')),
    ...(project['requires-python'] === undefined && !dynamic.has('requires-python')
      ? [
          atKey(
            warning(
              'no-requires-python',
              '[project] has no "requires-python", the oldest Python that the app runs on.',
            ),
            ...['project', 'requires-python'],
          ),
        ]
      : []),
    ...(manifest ? [...nameFindings(manifest), ...settingFindings(tool?.robot ?? {})] : []),
  ];
}

function settingFindings(robot: Readonly<Record<string, unknown>>): KeyedFinding[] {
  const unknown = Object.keys(robot).filter((key) => !SETTINGS.includes(key));
  return unknown.slice(0, MAX_SETTINGS_NAMED).map((key) => {
    const meant = closestName(key, SETTINGS);
    return atKey(
      warning(
        'unknown-setting',
        `[tool.robot] has "${displayText(key, 60)}", which is unknown and has no effect.`,
        meant === null ? undefined : `Did you mean ${meant}?`,
      ),
      ...['tool', 'robot', key],
    );
  });
}

function versionFindings(version: string | undefined, isDynamic: boolean): KeyedFinding[] {
  if (version === undefined) {
    return isDynamic ? [] : [atKey(problem('no-version', '[project] has no version.'), 'project', 'version')];
  }
  if (isVersion(version)) return [];
  const message = `The version "${displayText(version, 60)}" is invalid.`;
  return [atKey(problem('bad-version', message), 'project', 'version')];
}

/** Other tools find an app by one name, where the installer of the daemon needs none to be like another. */
function nameFindings({ name, distribution, module }: AppManifest): KeyedFinding[] {
  const [packageName = ''] = module.split('.');
  const names = [name, distribution, packageName];
  if (new Set(names.map(normalized)).size === 1 || isBareSdk(distribution)) return [];
  const message = `The entry point is named ${displayText(name, 60)}, the project ${displayText(distribution, 60)}, the package ${displayText(packageName, 60)}. It works, but some tools expect one name.`;
  return [atKey(warning('entry-name', message), 'project', 'entry-points', ENTRY_POINT_GROUP, name)];
}

/** By PEP 503. */
const normalized = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-');
