import { valid as isVersion } from '@renovatebot/pep440';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { emojiOf } from '../../contract/apps/emoji.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { type FrontMatter, frontMatterLine, readFrontMatter } from '../front-matter.ts';
import { ENTRY_POINT_GROUP } from '../manifest.ts';
import type { PackageFiles } from '../package-files.ts';
import { atKey, inFile, type KeyedFinding, type PackageFinding, problem, warning } from '../package-finding.ts';
import type { Pyproject } from '../pyproject.ts';
import { isBareSdk } from '../requirement.ts';

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

// Those that the hub documents for Spaces.
const COLORS = ['red', 'yellow', 'green', 'blue', 'indigo', 'purple', 'pink', 'gray'];
const KINDS = ['static', 'gradio', 'docker', 'streamlit'];
const MAX_DESCRIPTION = 60;

/** Findings about the front matter of README.md, if it can be read: its title, and values that the hub does not take. */
export function frontMatterFindings({ readme, paths }: Pick<PackageFiles, 'readme' | 'paths'>): PackageFinding[] {
  if (readme === null) return [];
  const { frontMatter, warnings } = readFrontMatter(readme);
  if (!warnings.every(({ code }) => code === 'no-tag')) return [];
  const at = (key: string, finding: PackageFinding) => inFile(finding, 'README.md', frontMatterLine(readme, key));
  const refused = (key: keyof FrontMatter, message: string | null, action: string) =>
    message === null ? [] : [at(key, warning('bad-space-value', message, action))];
  const { title, emoji, short_description: description = '', sdk, colorFrom, colorTo } = frontMatter;
  return [
    ...((title ?? '').trim() === ''
      ? [
          at(
            'title',
            warning('no-title', 'The front matter of README.md has no title, the name of the app for people.'),
          ),
        ]
      : []),
    ...refused('emoji', emojiProblem(emoji), 'Write one emoji, like 🤖.'),
    ...refused('colorFrom', valueProblem('colorFrom', colorFrom, COLORS), oneOf(colorFrom, COLORS)),
    ...refused('colorTo', valueProblem('colorTo', colorTo, COLORS), oneOf(colorTo, COLORS)),
    ...refused('sdk', valueProblem('sdk', sdk, KINDS), 'Write static: the Space of an app only shows its page.'),
    ...refused('sdk', missingStart(frontMatter, paths), 'Write sdk: static, by which the Space shows index.html.'),
    ...refused(
      'short_description',
      description.length > MAX_DESCRIPTION
        ? `short_description has ${description.length} characters, of which the hub takes ${MAX_DESCRIPTION}.`
        : null,
      `Shorten it to ${MAX_DESCRIPTION} characters.`,
    ),
  ];
}

function emojiProblem(emoji: string | undefined): string | null {
  if (emoji === undefined || emojiOf(emoji) !== '' || !/[\p{L}\p{N}]/u.test(emoji)) return null;
  return `emoji is "${displayText(emoji, 40)}", which is no emoji.`;
}

function valueProblem(key: string, value: unknown, known: readonly string[]): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return known.includes(text) ? null : `${key} is "${displayText(text, 40)}", which the hub does not know.`;
}

function oneOf(value: unknown, known: readonly string[]): string {
  const meant = closestName(String(value), known);
  return meant === null ? `Write one of ${known.join(', ')}.` : `Did you mean ${meant}? It may be ${known.join(', ')}.`;
}

/** Finds that the program which the hub would run is missing. */
function missingStart({ sdk, app_file: file }: FrontMatter, paths: readonly string[]): string | null {
  if (sdk === 'docker' && !paths.includes('Dockerfile')) return 'sdk is docker, but there is no Dockerfile.';
  if (sdk !== 'gradio' && sdk !== 'streamlit') return null;
  const start = typeof file === 'string' && file !== '' ? file : 'app.py';
  return paths.includes(start)
    ? null
    : `sdk is ${sdk}, but there is no ${displayText(start, 80)} that the hub would run.`;
}
