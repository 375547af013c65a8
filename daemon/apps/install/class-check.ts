import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodeCheck } from '../../app-package/author/code-findings.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';

const READ_MS = 15_000;

/**
 * Checks an app's class from its sources, without running the app, so that nothing is fetched for a package that is no app.
 * @param options.python the app's interpreter, which can parse its sources; only the standard library is used
 * @returns the address of its settings page, if the class states it as a plain text
 * @throws JobFailed when the class is certainly no app; the import tells in all other cases
 */
export async function checkClass(
  options: { python: string; installerDir: string; sourceDir: string; work: string; run: RunStep },
  { module, className }: Pick<AppManifest, 'module' | 'className'>,
): Promise<string | null> {
  const { python, installerDir, sourceDir, work, run } = options;
  const program = join(installerDir, 'check_class');
  const resultFile = join(work, 'class.json');
  // -S: skips the user's site packages, which cost more time than the program itself.
  // -B: the program's folder may belong to another user or a package, so Python must not write __pycache__ there.
  const args = ['-I', '-S', '-B', program, sourceDir, module, className, resultFile];
  await run(python, args, { deadlineMs: READ_MS }).catch((error: unknown) => {
    // Some sources crash Python's parser. The result file then still says that nothing is known.
    if (!(error instanceof CommandFailed)) throw error;
  });
  const result = await readFile(resultFile, 'utf8').catch(() => null);
  if (result === null) return null; // nothing is known
  const { problem, customAppUrl } = CodeCheck.parse(JSON.parse(result));
  if (problem !== null) throw classRefused(problem);
  return customAppUrl;
}

/** @param problem a sentence without its full stop */
export function classRefused(problem: string): JobFailed {
  return new JobFailed({
    reason: 'not-an-app',
    message: `${problem}.`,
    action: 'Correct the entry point or the class.',
  });
}
