import { lstat, readdir } from 'node:fs/promises';
import { sep } from 'node:path';
import type { AppContents, SavedFile } from '../../contract/apps/reset.ts';
import { savedFiles } from '../installed/saved-files.ts';

/** The number of files that are listed by name. */
const LISTED = 20;

export interface FoundContents extends AppContents {
  /** The files beside the code, with slashes from the folder of packages. */
  readonly besideCode: string[];
}

export const isEmpty = ({ files, variables }: AppContents): boolean => files === 0 && variables.length === 0;

/**
 * Finds all that an app has saved. What cannot be read is left out.
 * @param app.workDir its working folder; it need not exist
 * @param app.envDir its live environment
 * @param app.variables the names of its variables
 */
export async function findContents(app: {
  readonly workDir: string;
  readonly envDir: string;
  readonly variables: string[];
}): Promise<FoundContents> {
  const tally = new Tally();
  const besideCode = await savedFiles(app.envDir);
  for (const file of besideCode) tally.add({ ...file, besideCode: true });
  await addFilesIn(Buffer.from(app.workDir), '', tally);
  const { files, bytes, largest } = tally;
  return { files, bytes, largest, variables: app.variables, besideCode: besideCode.map(({ path }) => path) };
}

/** Counts files, and keeps the largest: there may be millions. */
class Tally {
  files = 0;
  bytes = 0;
  #kept: SavedFile[] = [];

  add(file: SavedFile): void {
    this.files += 1;
    this.bytes += file.bytes;
    this.#kept.push(file);
    if (this.#kept.length >= 10 * LISTED) this.#kept = this.largest;
  }

  get largest(): SavedFile[] {
    return this.#kept.toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)).slice(0, LISTED);
  }
}

/**
 * Adds every file of a folder; links count as files and are not followed.
 * @param folder its path in bytes: a name need not be UTF-8
 * @param path the same from the working folder, empty or with a slash at its end
 */
async function addFilesIn(folder: Buffer, path: string, tally: Tally): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  for (const entry of entries) {
    const name = Buffer.concat([folder, Buffer.from(sep), entry.name]);
    const shown = path + entry.name.toString();
    if (entry.isDirectory()) await addFilesIn(name, `${shown}/`, tally);
    else {
      const status = entry.isFile() ? await lstat(name).catch(() => null) : null;
      tally.add({ path: shown, bytes: status?.size ?? 0, besideCode: false });
    }
  }
}
