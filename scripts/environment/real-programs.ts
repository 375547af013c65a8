import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { sharedFolder } from '../../daemon/testing/shared-folder.ts';

/** Lets this process and those that it starts find the real python3, node and git. Does it once: the next call finds them. */
export function findRealPrograms(): void {
  process.env['PATH'] = withRealPrograms(process.env['PATH'] ?? '', sharedFolder('programs'));
}

/**
 * Puts the real python3, node and git before the folders in which the tests would find them. A version manager finds a program
 * through a script, which starts some forty processes for each call, and the tests call these hundreds of times.
 * @param path the value of PATH
 * @param links a folder for links to the programs
 * @returns the value of PATH to use; the same when they are programs, or are missing
 */
export function withRealPrograms(path: string, links: string): string {
  const folders = path.split(delimiter);
  // Its folder, not a link: environments that it creates name the folder, and outlive links. Last, since the folder has other programs.
  for (const [program, folderOf] of [
    ['git', (found: string) => inAnswer(found, ['--exec-path'], (folder) => linked('git', join(folder, 'git'), links))],
    ['node', () => linked('node', process.execPath, links)],
    ['python3', (found: string) => inAnswer(found, ['-I', '-c', 'import sys; print(sys.executable)'], dirname)],
  ] as const) {
    const index = folders.findIndex((folder) => isProgram(join(folder, program)));
    if (index === -1) continue;
    const found = join(folders[index] as string, program);
    const folder = folderOf(found);
    if (folder !== null && isAnother(join(folder, program), found)) folders.splice(index, 0, folder);
  }
  return folders.join(delimiter);
}

/** Asks a program where it is. @returns null when it fails, as a script does that has no program */
function inAnswer(program: string, args: readonly string[], folderOf: (answer: string) => string): string | null {
  const { exitCode, stdout } = execaSync(program, args, { reject: false, timeout: 30_000 });
  return exitCode === 0 ? folderOf(stdout) : null;
}

/** @returns a folder with nothing but a link to the program: its name says to which, so that runs at a time can share it */
function linked(name: string, program: string, links: string): string {
  const folder = join(links, createHash('sha256').update(program).digest('hex').slice(0, 16));
  mkdirSync(folder, { recursive: true });
  try {
    symlinkSync(program, join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return folder;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isAnother(program: string, than: string): boolean {
  return isProgram(program) && realpathSync(program) !== realpathSync(than);
}
