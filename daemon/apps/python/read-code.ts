import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodeCheck } from '../../app-package/author/code-findings.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { RunStep } from './python-env.ts';

const READ_MS = 15_000;

/**
 * Reads the code of an app in a child process, without running any of it.
 * @param how.python an interpreter that can parse the sources; only its standard library is used
 * @param how.work a folder for the result
 * @returns CommandFailed when nothing is known: some sources crash Python's parser
 * @throws the reason of a cancel
 */
export async function readCode(
  sourceDir: string,
  { module, className }: Pick<AppManifest, 'module' | 'className'>,
  how: { python: string; installerDir: string; work: string; run: RunStep; withFacts: boolean },
): Promise<CodeCheck | CommandFailed> {
  const result = join(how.work, 'code.json');
  // -S: skips the user's site packages, which cost more time than the program itself.
  // -B: the program's folder may belong to another user or a package, so Python must not write __pycache__ there.
  const program = ['-I', '-S', '-B', join(how.installerDir, 'check_class')];
  const args = [...program, sourceDir, module, className, result, ...(how.withFacts ? ['--facts'] : [])];
  try {
    await how.run(how.python, args, { deadlineMs: READ_MS });
  } catch (error) {
    if (error instanceof CommandFailed) return error;
    throw error;
  }
  return CodeCheck.parse(JSON.parse(await readFile(result, 'utf8')));
}
