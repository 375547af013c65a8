import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { AppNames } from '../../contract/apps/app-names.ts';
import type { NewOwnApp } from '../../contract/apps/own-apps.ts';
import { DestinationMissing } from '../errors.ts';
import { appNames } from './app-names.ts';
import { gitignore } from './gitignore.ts';
import { createFolder } from './new-folder.ts';

export interface CreatedApp {
  readonly folder: string;
  /** The entry point and package, `my_app`. */
  readonly name: string;
  /** `MyApp` */
  readonly className: string;
  /** Its files, with slashes from the folder. */
  readonly files: readonly string[];
}

/**
 * Creates an app from a template, in a new folder that bears its name. Complete or not at all.
 *
 * A template is an app that works: package `app_template`, class `AppTemplate`, project `app-template`, title
 * `App template`, settings page on port 8042. These are replaced in its texts and paths.
 * @param options.templatesDir holds a folder for each template
 * @throws AppNameUnusable, DestinationMissing, DestinationReadOnly, AppFolderExists, DiskFull
 */
export async function createApp(
  wanted: NewOwnApp,
  { templatesDir }: { readonly templatesDir: string },
): Promise<CreatedApp> {
  const wantedNames = appNames(wanted.name);
  if (!isAbsolute(wanted.destination))
    throw new DestinationMissing(`${wanted.destination} is not the full path of a folder.`);
  const template = await templateFiles(join(templatesDir, wanted.template));
  const names = withOwnClassName(wantedNames, template);
  const files = new Map(template.map(({ path, text }) => [withNames(path, names), withNames(text, names)]));
  if (!files.has('.gitignore')) files.set('.gitignore', gitignore);
  const folder = join(resolve(wanted.destination), names.package);
  await createFolder(folder, async (draft) => {
    for (const [path, text] of files) {
      await mkdir(join(draft, dirname(path)), { recursive: true });
      await writeFile(join(draft, path), text);
    }
  });
  return { folder, name: names.package, className: names.className, files: [...files.keys()].sort() };
}

/** Avoids a class name that the template's code uses for something else, such as `RobotApp` or `Thread`. */
function withOwnClassName(names: AppNames, template: readonly TemplateFile[]): AppNames {
  const code = template.filter(({ path }) => path.endsWith('.py')).map(({ text }) => text);
  const words = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
  let { className } = names;
  while (words.has(className)) className += 'App';
  return { ...names, className };
}

/** Files that tools leave behind where a template was tried in its place. */
const leftByTools = /^(?:__pycache__|\..*_cache|\.venv|build|dist|.*\.egg-info|.*\.pyc|\.DS_Store)$/;

interface TemplateFile {
  /** With slashes from the template's folder. */
  readonly path: string;
  readonly text: string;
}

/** The files of a template, which are texts, sorted by path. */
async function templateFiles(templateDir: string): Promise<TemplateFile[]> {
  const entries = await readdir(templateDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(templateDir, join(entry.parentPath, entry.name)).split(sep))
    .filter((parts) => !parts.some((part) => leftByTools.test(part)))
    .map((parts) => parts.join('/'));
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await readFile(join(templateDir, path), 'utf8') })),
  );
}

/** The port of the templates' settings page. Each app gets one of its own, so that two apps do not clash. */
const TEMPLATE_PORT = 8042;
const FIRST_PORT = 8100;
const PORTS = 800;

const placeholder = new RegExp(
  `app_template|AppTemplate|app-template|App template|(?<=localhost:)${TEMPLATE_PORT}`,
  'g',
);

/** Replaces a template's names and port by the app's, in a text or a path. */
function withNames(text: string, names: AppNames): string {
  const values: Readonly<Record<string, string>> = {
    app_template: names.package,
    AppTemplate: names.className,
    'app-template': names.distribution,
    'App template': names.title,
    [TEMPLATE_PORT]: String(portOf(names.package)),
  };
  return text.replace(placeholder, (found) => values[found] ?? found);
}

/** The port of an app's settings page, always the same for a name. */
function portOf(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name)) hash = (hash * 31 + byte) % 1_000_003;
  return FIRST_PORT + (hash % PORTS);
}
