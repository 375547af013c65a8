import { valid as isVersion } from '@renovatebot/pep440';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { emojiOf } from '../../contract/apps/emoji.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { type FrontMatter, readFrontMatter } from '../front-matter.ts';
import { ENTRY_POINT_GROUP } from '../manifest.ts';
import type { PackageFiles } from '../package-files.ts';
import { type KeyedFinding, type PackageFinding, problem, warning } from '../package-finding.ts';
import type { Pyproject } from '../pyproject.ts';
import { isBareSdk, normalizedName } from '../requirement.ts';

/** The allowed keys of `[tool.robot]`. */
const SETTINGS = ['baseline', 'needs'];
const MAX_SETTINGS_NAMED = 5;

/** Findings about `[project]` and `[tool.robot]` that an install does without. */
export function projectFindings({ project, tool }: Pyproject, manifest: AppManifest | null): KeyedFinding[] {
  const isDynamic = (field: string) => project.dynamic?.includes(field) ?? false;
  const findings = versionFindings(project.version, isDynamic('version'));
  if (project['requires-python'] === undefined && !isDynamic('requires-python')) {
    const message = '[project] has no "requires-python", the oldest Python that the app runs on.';
    findings.push(warning('no-requires-python', message, { key: ['project', 'requires-python'] }));
  }
  return manifest ? [...findings, ...nameFindings(manifest), ...settingFindings(tool?.robot ?? {})] : findings;
}

function settingFindings(robot: Readonly<Record<string, unknown>>): KeyedFinding[] {
  const unknown = Object.keys(robot).filter((key) => !SETTINGS.includes(key));
  return unknown.slice(0, MAX_SETTINGS_NAMED).map((key) => {
    const meant = closestName(key, SETTINGS);
    const message = `[tool.robot] has "${displayText(key, 60)}", which is unknown and has no effect.`;
    const action = meant === null ? undefined : `Did you mean ${meant}?`;
    return warning('unknown-setting', message, { action, key: ['tool', 'robot', key] });
  });
}

function versionFindings(version: string | undefined, isDynamic: boolean): KeyedFinding[] {
  const key = ['project', 'version'];
  if (version === undefined) return isDynamic ? [] : [problem('no-version', '[project] has no version.', { key })];
  if (isVersion(version)) return [];
  return [problem('bad-version', `The version "${displayText(version, 60)}" is invalid.`, { key })];
}

/** Other tools find an app by one name, where the installer of the daemon needs none to be like another. */
function nameFindings({ name, distribution, module }: AppManifest): KeyedFinding[] {
  const [packageName = ''] = module.split('.');
  const names = [name, distribution, packageName];
  if (new Set(names.map(normalizedName)).size === 1 || isBareSdk(distribution)) return [];
  const message = `The entry point is named ${displayText(name, 60)}, the project ${displayText(distribution, 60)}, the package ${displayText(packageName, 60)}. It works, but some tools expect one name.`;
  return [warning('entry-name', message, { key: ['project', 'entry-points', ENTRY_POINT_GROUP, name] })];
}

// Those that the hub documents for Spaces.
const COLORS = ['red', 'yellow', 'green', 'blue', 'indigo', 'purple', 'pink', 'gray'];
const KINDS = ['static', 'gradio', 'docker', 'streamlit'];
const MAX_DESCRIPTION = 60;

/** Findings about the front matter of README.md, if it can be read: its title, and values that the hub does not take. */
export function frontMatterFindings({ readme, paths }: Pick<PackageFiles, 'readme' | 'paths'>): PackageFinding[] {
  if (readme === null) return [];
  const { frontMatter, warnings, lineOf } = readFrontMatter(readme);
  if (!warnings.every(({ code }) => code === 'no-tag')) return [];
  const at = (key: keyof FrontMatter) => ({ file: 'README.md', line: lineOf(key) });
  const refused = (key: keyof FrontMatter, message: string | null, action: string) =>
    message === null ? [] : [warning('bad-space-value', message, { ...at(key), action })];
  const { title, emoji, short_description: description = '', sdk, colorFrom, colorTo } = frontMatter;
  const untitled = 'The front matter of README.md has no title, the name of the app for people.';
  return [
    ...((title ?? '').trim() === '' ? [warning('no-title', untitled, at('title'))] : []),
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
