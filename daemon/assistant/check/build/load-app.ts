import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { pythonIn, type RunStep } from '../../../apps/python/python-env.ts';
import { CommandFailed } from '../../../shared/processes/run-command.ts';

const LOAD_MS = 120_000;

const LoadedApp = z.object({
  /** The entry points of apps that the distribution declares; empty when it is not installed. */
  entryPoints: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Its installed files, with slashes from the folder of packages. */
  files: z.array(z.string()),
  /** Why the class is no app, a sentence without its full stop; null: it is one. */
  problem: z.string().nullable(),
  /** The error that the import raised; null: nothing. */
  error: z
    .object({ message: z.string(), frames: z.array(z.object({ file: z.string(), line: z.int().nullable() })) })
    .nullable(),
});
export type LoadedApp = z.infer<typeof LoadedApp> & {
  /** The last lines of what the import wrote. */
  readonly lines: readonly string[];
  /** Why the process that loads it did not end by itself; null: it did. */
  readonly ended: CommandFailed | null;
};

/**
 * Loads an installed app by its entry point, in a process of its environment.
 * @throws CommandFailed when the environment's Python cannot be run, or the reason of a cancel
 */
export async function loadApp(options: {
  readonly envDir: string;
  readonly installerDir: string;
  readonly distribution: string;
  readonly work: string;
  readonly run: RunStep;
}): Promise<LoadedApp> {
  const { envDir, installerDir, distribution, work, run } = options;
  const result = join(work, 'loaded.json');
  const args = ['-I', join(installerDir, 'load_entry_point.py'), distribution, result];
  const { lines, ended } = await run(pythonIn(envDir), args, { deadlineMs: LOAD_MS, cwd: work }).then(
    (all) => ({ lines: all as readonly string[], ended: null }),
    (error: unknown) => {
      if (error instanceof CommandFailed) return { lines: error.lines, ended: error };
      throw error;
    },
  );
  const text = await readFile(result, 'utf8').catch(() => null);
  if (text === null) throw ended ?? new Error(`${result} was not written.`);
  return { ...LoadedApp.parse(JSON.parse(text)), lines, ended };
}
