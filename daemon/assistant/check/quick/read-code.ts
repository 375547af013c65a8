import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodeCheck } from '../../../app-package/author/code-findings.ts';
import type { AppManifest } from '../../../contract/apps/apps.ts';
import { CommandFailed, runCommand } from '../../../shared/processes/run-command.ts';
import type { CheckDeps } from '../setup/check-deps.ts';
import { workPrefix } from '../setup/work-folder.ts';

const READ_MS = 15_000;

/**
 * Reads the code of an app in a child process, without running any of it.
 * @param options.python the interpreter that parses it
 * @returns `unread`: a sentence that says why the code could not be read
 * @throws the reason of the signal
 */
export async function readCode(
  folder: string,
  { module, className }: Pick<AppManifest, 'module' | 'className'>,
  { installerDir, tempDir, childEnvironment }: Pick<CheckDeps, 'installerDir' | 'tempDir' | 'childEnvironment'>,
  options: { readonly python: string; readonly signal: AbortSignal },
): Promise<CodeCheck | { readonly unread: string }> {
  const work = await mkdtemp(join(tempDir, workPrefix()));
  try {
    const result = join(work, 'code.json');
    // See checkClass for the options.
    const args = ['-I', '-S', '-B', join(installerDir, 'check_class'), folder, module, className, result, '--facts'];
    const how = { env: childEnvironment(), deadlineMs: READ_MS, signal: options.signal };
    const failed = await runCommand(options.python, args, how).then(
      () => null,
      (error: unknown) => {
        if (error instanceof CommandFailed) return error;
        throw error;
      },
    );
    // Some sources crash Python's parser.
    if (failed) return { unread: `${failed.message}.` };
    return CodeCheck.parse(JSON.parse(await readFile(result, 'utf8')));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
