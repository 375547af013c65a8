import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * Finds a program without running anything.
 * @param name without the `.exe` of Windows
 * @param path the search path
 * @returns its file; null: there is none
 */
export async function programOnPath(name: string, path: string, platform: NodeJS.Platform): Promise<string | null> {
  const file = platform === 'win32' ? `${name}.exe` : name;
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, file);
    if (await isProgram(program)) return program;
  }
  return null;
}

/** Whether it is a file that this user may run. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
