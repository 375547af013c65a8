import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Files that tools leave behind where a template was tried in its place. */
const leftByTools = /^(?:__pycache__|\..*_cache|\.venv|build|dist|.*\.egg-info|.*\.pyc|\.DS_Store)$/;

export interface TemplateFile {
  /** With slashes from the template's folder. */
  readonly path: string;
  readonly text: string;
}

/** The files of a template, which are texts, sorted by path. */
export async function templateFiles(templateDir: string): Promise<TemplateFile[]> {
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
