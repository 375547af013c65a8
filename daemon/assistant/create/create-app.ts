import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { AppNames } from '../../contract/apps/app-names.ts';
import type { AppTemplate } from '../../contract/apps/own-apps.ts';
import { appNames } from './app-names.ts';
import { DestinationMissing } from './errors.ts';
import { gitignore } from './gitignore.ts';
import { createFolder } from './new-folder.ts';
import { type TemplateFile, templateFiles } from './template-files.ts';
import { withNames } from './template-text.ts';

export interface NewApp {
  /** The name in the words of its author: `My first app`, `my_app`. */
  readonly name: string;
  /** The existing folder in which the app's folder is created, an absolute path. */
  readonly destination: string;
  readonly template: AppTemplate;
}

export interface CreateDeps {
  /** Holds a folder for each template. */
  readonly templatesDir: string;
}

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
 * @throws AppNameUnusable, DestinationMissing, DestinationReadOnly, AppFolderExists, DiskFull
 */
export async function createApp(wanted: NewApp, { templatesDir }: CreateDeps): Promise<CreatedApp> {
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
