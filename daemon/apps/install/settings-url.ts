import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';

const READ_MS = 15_000;
const ATTRIBUTE = 'custom_app_url';
/** Sources beyond this size are not read. */
const MAX_SOURCE_BYTES = 4 * 1024 ** 2;

const SettingsUrl = z.object({ known: z.boolean(), url: z.string().nullable() });
export type SettingsUrl = z.infer<typeof SettingsUrl>;

const unknown: SettingsUrl = { known: false, url: null };

/**
 * Copies an app's Python sources if they mention a settings page. The copy can be read while the build writes.
 * @param to a folder that does not exist yet
 * @returns whether the sources mention a settings page
 */
export async function copySources(sourceDir: string, to: string): Promise<boolean> {
  const entries = await readdir(sourceDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name));
  const sources: [string, Buffer][] = [];
  let bytes = 0;
  for (const path of paths) {
    bytes += (await stat(path)).size;
    if (bytes > MAX_SOURCE_BYTES) return false;
    sources.push([relative(sourceDir, path), await readFile(path)]);
  }
  if (!sources.some(([, source]) => source.includes(ATTRIBUTE))) return false;
  for (const [path, source] of sources) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await writeFile(join(to, path), source);
  }
  return true;
}

/**
 * Reads an app's `custom_app_url` from its sources, without running the app.
 * @param options.python any interpreter; only the standard library is used
 * @returns `known: false` when the value is only known at run time
 */
export async function readSettingsUrl(options: {
  python: string;
  installerDir: string;
  sourceDir: string;
  module: string;
  className: string;
  resultFile: string;
  run: RunStep;
}): Promise<SettingsUrl> {
  const { python, installerDir, sourceDir, module, className, resultFile, run } = options;
  const program = join(installerDir, 'read_settings_url');
  // -S: skips the user's site packages, which cost more time than the program itself.
  // -B: the program's folder may belong to another user or a package, so Python must not write __pycache__ there.
  const args = ['-I', '-S', '-B', program, sourceDir, module, className, resultFile];
  await run(python, args, { deadlineMs: READ_MS }).catch((error: unknown) => {
    // Some sources crash Python's parser. The result file then still says "unknown".
    if (!(error instanceof CommandFailed)) throw error;
  });
  const result = await readFile(resultFile, 'utf8').catch(() => JSON.stringify(unknown));
  return SettingsUrl.parse(JSON.parse(result));
}
