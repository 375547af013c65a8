import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';

/**
 * Puts the folder of the real python3 before the folder in which the tests would find it. A version manager finds python3
 * through a script, which starts some forty processes for each call, and the tests call it hundreds of times.
 * @param path the value of PATH
 * @returns the value of PATH to use; the same when python3 is a program, or is missing
 */
export async function withRealPython(path: string): Promise<string> {
  const folders = path.split(delimiter);
  const found = await firstWith('python3', folders);
  if (found === null) return path;
  const { exitCode, stdout } = await execa(join(found, 'python3'), ['-I', '-c', 'import sys; print(sys.executable)'], {
    reject: false,
    timeout: 30_000,
  });
  const real = dirname(stdout);
  if (exitCode !== 0 || (await realpath(real)) === (await realpath(found))) return path;
  return folders.flatMap((folder) => (folder === found ? [real, folder] : [folder])).join(delimiter);
}

async function firstWith(program: string, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const file = join(folder, program);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return folder;
  }
  return null;
}
