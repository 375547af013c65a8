import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';

const READ_MS = 15_000;
const ATTRIBUTE = 'custom_app_url';
/** More than any app's sources have: beyond it only running the app could tell. */
const LOOKED_AT_BYTES = 4 * 1024 ** 2;

const SettingsUrl = z.object({ known: z.boolean(), url: z.string().nullable() });
export type SettingsUrl = z.infer<typeof SettingsUrl>;

const unknown: SettingsUrl = { known: false, url: null };

/**
 * Copies an app's Python sources, so that they can be read while its build writes among them.
 * @param to a folder that is not there yet
 * @returns whether any of them mentions a settings page; where none does, none of them can tell, and nothing is copied
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
    if (bytes > LOOKED_AT_BYTES) return false;
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
 * Reads an app's `custom_app_url` from its sources; nothing of the app is run.
 * @param options.python any interpreter; only the standard library is used
 * @returns `known: false` where only running the app could tell
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
  // -S: what the user's Python loads at its start is none of this program's business, and costs more than it does.
  // -B: the program's folder may belong to another user or lie in a package; Python is to leave no __pycache__ there.
  const args = ['-I', '-S', '-B', program, sourceDir, module, className, resultFile];
  await run(python, args, { deadlineMs: READ_MS }).catch((error: unknown) => {
    // Sources that Python's own parser dies of: what was written before it, "unknown", stands.
    if (!(error instanceof CommandFailed)) throw error;
  });
  const result = await readFile(resultFile, 'utf8').catch(() => JSON.stringify(unknown));
  return SettingsUrl.parse(JSON.parse(result));
}
