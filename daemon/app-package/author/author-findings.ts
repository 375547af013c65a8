import { posix } from 'node:path';
import { valid as isVersion } from '@renovatebot/pep440';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { withLines } from '../check-app.ts';
import { emojiOf } from '../emoji.ts';
import { type FrontMatter, readFrontMatter } from '../front-matter.ts';
import { ENTRY_POINT_GROUP } from '../manifest.ts';
import { moduleFile, type PackageFiles } from '../package-files.ts';
import { inFile, type PackageFinding, problem, warning } from '../package-finding.ts';
import { type Pyproject, parsePyproject } from '../pyproject.ts';
import { isBareSdk, normalizedName } from '../requirement.ts';
import { settingsPageFrom } from '../settings-page.ts';
import { type CodeCheck, type CodeFacts, codeFindings } from './code-findings.ts';
import type { OwnFiles } from './own-files.ts';
import { secretFindings } from './secrets.ts';

/**
 * The findings for an app's author beyond those of an install: the layout that the specification asks for, the code, and
 * what would be published.
 * @param manifest null when its declarations are refused
 * @param code null when the code could not be read
 */
export async function authorFindings(
  files: OwnFiles,
  manifest: AppManifest | null,
  code: CodeCheck | null,
): Promise<PackageFinding[]> {
  const pyproject = files.pyproject === null ? null : parsePyproject(files.pyproject);
  if (!pyproject || 'code' in pyproject) return [...(await secretFindings(files))];
  const found = [
    ...fileFindings(files),
    ...projectFindings(pyproject, manifest),
    ...frontMatterFindings(files),
    ...(manifest ? initFindings(files, manifest) : []),
    ...(manifest && code ? await codeFindings(manifest, code, files) : []),
    ...pageFindings(code?.facts ?? null, files),
    ...(await referenceFindings(files)),
    ...(await secretFindings(files)),
  ];
  return withLines(found, files.pyproject);
}

/** The folders from the package to the module should be packages. */
function initFindings(files: OwnFiles, { module }: AppManifest): PackageFinding[] {
  const place = moduleFile(files, module);
  if (!place?.path.startsWith(place.packageFolder)) return [];
  const folders: string[] = [];
  for (
    let folder = posix.dirname(place.path);
    `${folder}/`.startsWith(place.packageFolder);
    folder = posix.dirname(folder)
  ) {
    folders.push(folder);
  }
  return folders
    .filter((folder) => !files.paths.includes(`${folder}/__init__.py`))
    .map((folder) => inFile(warning('no-init', `There is no ${folder}/__init__.py.`), `${folder}/__init__.py`));
}

/** The allowed keys of `[tool.robot]`. */
const SETTINGS = ['baseline', 'needs'];
const MAX_SETTINGS_NAMED = 5;

/** Findings about `[project]` and `[tool.robot]` that an install does without. */
function projectFindings({ project, tool }: Pyproject, manifest: AppManifest | null): PackageFinding[] {
  const isDynamic = (field: string) => project.dynamic?.includes(field) ?? false;
  const findings = versionFindings(project.version, isDynamic('version'));
  if (project['requires-python'] === undefined && !isDynamic('requires-python')) {
    const message = '[project] has no "requires-python", the oldest Python that the app runs on.';
    findings.push(warning('no-requires-python', message, { key: ['project', 'requires-python'] }));
  }
  return manifest ? [...findings, ...nameFindings(manifest), ...settingFindings(tool?.robot ?? {})] : findings;
}

function settingFindings(robot: Readonly<Record<string, unknown>>): PackageFinding[] {
  const unknown = Object.keys(robot).filter((key) => !SETTINGS.includes(key));
  return unknown.slice(0, MAX_SETTINGS_NAMED).map((key) => {
    const meant = closestName(key, SETTINGS);
    const message = `[tool.robot] has "${displayText(key, 60)}", which is unknown and has no effect.`;
    const action = meant === null ? undefined : `Did you mean ${meant}?`;
    return warning('unknown-setting', message, { action, key: ['tool', 'robot', key] });
  });
}

function versionFindings(version: string | undefined, isDynamic: boolean): PackageFinding[] {
  const key = ['project', 'version'];
  if (version === undefined) return isDynamic ? [] : [problem('no-version', '[project] has no version.', { key })];
  if (isVersion(version)) return [];
  return [problem('bad-version', `The version "${displayText(version, 60)}" is invalid.`, { key })];
}

/** Other tools find an app by one name, where the installer of the daemon needs none to be like another. */
function nameFindings({ name, distribution, module }: AppManifest): PackageFinding[] {
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
function frontMatterFindings({ readme, paths }: Pick<PackageFiles, 'readme' | 'paths'>): PackageFinding[] {
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
    ...refused('emoji', emojiProblem(emoji), 'Write one emoji.'),
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

const LARGE_BYTES = 10 * 1000 * 1000;
const MAX_NAMED = 5;

/** Findings about the files of an app, whatever is in them. */
function fileFindings(files: OwnFiles): PackageFinding[] {
  const { paths, sizes, linksOutside, linkedEnvironments, truncated } = files;
  const large = paths.filter((path) => (sizes.get(path) ?? 0) > LARGE_BYTES && files.isPublished(path));
  return [
    ...landingFindings(paths),
    ...large.slice(0, MAX_NAMED).map((path) => {
      const bytes = byteText(sizes.get(path) ?? 0);
      const message = `${displayText(path, 120)} has ${bytes}, which every user downloads.`;
      return warning('large-file', message, { file: path });
    }),
    ...linksOutside.slice(0, MAX_NAMED).map((path) => {
      const message = `${displayText(path, 120)} is a link that leads out of the folder.`;
      return problem('link-outside', message, { file: path, action: 'Replace the link by the file itself.' });
    }),
    ...linkedEnvironments.slice(0, MAX_NAMED).map((path) => {
      const message = `${displayText(path, 120)} is a virtual environment of Python, whose links lead out of the folder.`;
      const action = 'Delete it, and make it anew as .venv, which is left out. Name it in .gitignore, too.';
      return problem('link-outside', message, { file: path, action });
    }),
    ...leftoverFindings(files),
    ...(truncated
      ? [warning('too-many-files', 'The folder holds more files than an app has, so that only some were checked.')]
      : []),
  ];
}

function landingFindings(paths: readonly string[]): PackageFinding[] {
  const seen = 'the page that visitors of the published app see';
  return [
    ...(paths.includes('index.html') ? [] : [warning('no-landing-page', `There is no index.html, ${seen}.`)]),
    ...(paths.includes('style.css') ? [] : [warning('no-landing-style', `There is no style.css for ${seen}.`)]),
  ];
}

/** Environments and caches that git would add. */
function leftoverFindings({ paths, leftovers, isIgnored }: OwnFiles): PackageFinding[] {
  const found = [...leftovers, ...paths.filter((path) => path === '.env')].filter((path) => !isIgnored(path));
  if (found.length === 0) return [];
  const named = found.slice(0, MAX_NAMED).map((path) => displayText(path, 80));
  const message = `No .gitignore names ${named.join(', ')}: git would add it.`;
  return [warning('no-gitignore', message, paths.includes('.gitignore') ? { file: '.gitignore' } : {})];
}

/** The daemon's own default port. */
const DAEMON_PORT = 8000;
const FIRST_FREE_PORT = 1024;

/** Findings about the app's own page: its address, and whether there is something to show. */
function pageFindings(facts: CodeFacts | null, { paths }: Pick<PackageFiles, 'paths'>): PackageFinding[] {
  const { page, class: appClass, serves } = facts ?? {};
  if (!page || page.text === null) return [];
  const shown = displayText(page.text, 120);
  const place = { file: page.file, line: page.line };
  const settings = settingsPageFrom(page.text);
  if (!settings) {
    return [warning('bad-page-address', `custom_app_url is "${shown}", which is no http address with a port.`, place)];
  }
  if (settings.port === DAEMON_PORT) {
    const message = `custom_app_url has the port ${DAEMON_PORT}, which is the daemon's own.`;
    return [problem('page-port-taken', message, place)];
  }
  if (settings.port < FIRST_FREE_PORT) {
    const message = `custom_app_url has the port ${settings.port}, which is for services of the system.`;
    return [warning('page-port-taken', message, place)];
  }
  const index = posix.join(posix.dirname(appClass?.file ?? page.file), 'static', 'index.html');
  if (serves !== false || paths.includes(index)) return [];
  const message = `custom_app_url is "${shown}", but there is no ${index}, and the code serves no page.`;
  return [warning('page-missing', message, place)];
}

const MAX_PAGES = 20;
/** Scripts and styles; what else a page names may be a route of the app. */
const REFERENCE = /<(?:script\b[^>]*?\bsrc|link\b[^>]*?\bhref)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const FILE = /^[^:?#/{}$\\][^:?#{}$\\]*\.(?:m?js|css)$/i;

/** Finds scripts and styles beside a page that it names and that are not there. */
async function referenceFindings(files: Pick<PackageFiles, 'paths' | 'read'>): Promise<PackageFinding[]> {
  const pages = files.paths.filter((path) => path === 'index.html' || /(?:^|\/)static\/[^/]+\.html$/.test(path));
  const findings: PackageFinding[] = [];
  for (const page of pages.slice(0, MAX_PAGES)) {
    // Comments keep their lines.
    const text = ((await files.read(page)) ?? '').replace(/<!--[\s\S]*?-->/g, (comment) =>
      comment.replace(/[^\n]/g, ' '),
    );
    if (/<base\b/i.test(text)) continue;
    for (const match of text.matchAll(REFERENCE)) {
      const [name = ''] = (match[1] ?? match[2] ?? '').trim().split(/[?#]/);
      const path = posix.join(posix.dirname(page), name);
      // The style of the landing page has a rule of its own.
      if (!FILE.test(name) || path === 'style.css' || files.paths.includes(path)) continue;
      const line = text.slice(0, match.index + match[0].length).split('\n').length;
      const message = `${page} names ${displayText(name, 120)}, which is not there.`;
      findings.push(warning('missing-reference', message, { file: page, line }));
    }
  }
  return findings;
}
