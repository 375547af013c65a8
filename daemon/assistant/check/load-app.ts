import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import * as z from 'zod';
import { findFile } from '../../app-package/package-files.ts';
import { inFile, type PackageFinding, problem, warning } from '../../app-package/package-finding.ts';
import { withoutSecrets } from '../../apps/crash/crash-secrets.ts';
import { ownFile } from '../../apps/crash/crash-traceback.ts';
import { missingInOutput } from '../../apps/crash/missing-variables.ts';
import { pythonIn, type RunStep } from '../../apps/python/python-env.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { displayText } from '../../shared/display-text.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { inPyproject } from './build-findings.ts';

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

/** The findings when an app is loaded. @param paths the files of the author's folder */
export function loadFindings(manifest: AppManifest, loaded: LoadedApp, paths: readonly string[]): PackageFinding[] {
  const { name, module, className } = manifest;
  const { entryPoints, error, ended } = loaded;
  if (
    !entryPoints.some((entry) => entry.name === name && entry.value.replaceAll(/\s/g, '') === `${module}:${className}`)
  ) {
    const message = `The installed package does not declare the app ${displayText(name, 60)} as pyproject.toml does.`;
    return [inPyproject(problem('entry-point-lost', message))];
  }
  if (loaded.problem !== null) {
    const id = loaded.problem.includes(' does not define ') ? 'no-run' : 'not-robot-app';
    return [inPyproject(problem(id, `${displayText(loaded.problem, 200)}.`))];
  }
  if (ended) {
    const message = ended.timedOut
      ? `Importing ${module} took longer than two minutes. The app may do its work at import instead of in run().`
      : `Importing ${module} ended the process: ${displayText(ended.message, 120)}.`;
    return [inPyproject(problem('import-error', message))];
  }
  return error ? [errorFinding(manifest, error, loaded.lines, paths)] : [];
}

function errorFinding(
  { module }: AppManifest,
  error: NonNullable<LoadedApp['error']>,
  lines: readonly string[],
  paths: readonly string[],
): PackageFinding {
  const place = placeOf(error.frames, module.split('.')[0] ?? '', paths);
  const missing = missingInOutput(lines);
  const finding = missing
    ? warning('needs-variable', `${module} cannot be imported without the variable ${missing.names.join(', ')}.`)
    : /^(?:AttributeError: module \S+ has no attribute|AttributeError: .* has no attribute)/.test(error.message) &&
        isLookup(error)
      ? problem('no-class', `${displayText(error.message, 200)}: the entry point names it.`)
      : problem(
          'import-error',
          `The app cannot be imported: ${displayText(withoutSecrets(inPackage(error.message)), 300)}.`,
        );
  return place ? inFile(finding, place.file, place.line) : inPyproject(finding);
}

/** The message with files named from the package instead of from the environment, which is deleted afterwards. */
function inPackage(message: string): string {
  return message.replaceAll(/[^\s'"()]*[\\/]site-packages[\\/]/g, '');
}

/** Whether the error came from looking up the class in the imported module, not from the module's code. */
function isLookup({ frames }: NonNullable<LoadedApp['error']>): boolean {
  return /importlib[\\/]metadata/.test(frames.at(-1)?.file ?? '');
}

/** The innermost line of the author's own code. */
function placeOf(
  frames: readonly { file: string; line: number | null }[],
  appPackage: string,
  paths: readonly string[],
): { file: string; line: number | null } | null {
  for (const { file, line } of frames.toReversed()) {
    const inside = ownFile(file, appPackage);
    const own = inside === null ? undefined : findFile({ paths }, [posix.normalize(inside)]);
    if (own !== undefined) return { file: own, line };
  }
  return null;
}
