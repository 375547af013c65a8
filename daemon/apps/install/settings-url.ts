import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandFailed } from '../../shared/run-command.ts';
import type { RunStep } from './python-env.ts';

const READ_MS = 15_000;
const ATTRIBUTE = 'custom_app_url';
/** More than any app's sources have: beyond it Python is asked without a look. */
const LOOKED_AT_BYTES = 4 * 1024 ** 2;

const SettingsUrl = z.object({ known: z.boolean(), url: z.string().nullable() });
export type SettingsUrl = z.infer<typeof SettingsUrl>;

/**
 * Reads an app's `custom_app_url` from its sources; nothing of the app is run. Most apps never mention it, and are spared
 * the start of an interpreter: whether they inherit one from another package only running them could tell.
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
  if (!(await mayMention(sourceDir, ATTRIBUTE))) return { known: false, url: null };
  const program = join(installerDir, 'read_settings_url');
  // -B: the program's folder may belong to another user or lie in a package; Python is to leave no __pycache__ there.
  const args = ['-I', '-B', program, sourceDir, module, className, resultFile];
  await run(python, args, { deadlineMs: READ_MS }).catch((error: unknown) => {
    // Sources that Python's own parser dies of: what was written before it, "unknown", stands.
    if (!(error instanceof CommandFailed)) throw error;
  });
  const result = await readFile(resultFile, 'utf8').catch(() => '{"known": false, "url": null}');
  return SettingsUrl.parse(JSON.parse(result));
}

async function mayMention(sourceDir: string, word: string): Promise<boolean> {
  let bytes = 0;
  for (const entry of await readdir(sourceDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.py')) continue;
    const path = join(entry.parentPath, entry.name);
    bytes += (await stat(path)).size;
    if (bytes > LOOKED_AT_BYTES || (await readFile(path)).includes(word)) return true;
  }
  return false;
}
