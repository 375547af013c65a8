import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeFileLock } from '../../../shared/files/file-lock.ts';
import { killUntilGone, processesWithEnvironment } from '../../../shared/processes/processes.ts';
import { PublicationUnderWay } from '../space/errors.ts';
import type { FolderGit } from './folder-git.ts';
import { PUBLICATION_VARIABLE, publicationMark } from './git-command.ts';

const KILL_MS = 5_000;

/** The file that a publication keeps in a repository's data while it writes there. */
export interface RepositoryLock extends AsyncDisposable {
  /** A folder for its own files, empty. */
  readonly scratch: string;
}

/**
 * Lets one publication of a folder write to its repository. First ends and removes what a killed one left: its git,
 * and the locks of git that were made since it began.
 * @throws PublicationUnderWay
 */
export async function lockRepository(folder: string, { dirs }: FolderGit): Promise<RepositoryLock> {
  const own = join(dirs[0] ?? join(folder, '.git'), 'robot-desktop');
  const scratch = join(own, 'publishing');
  await mkdir(own, { recursive: true });
  const lock = takeFileLock(join(own, 'lock'));
  if (!lock) throw new PublicationUnderWay(folder);
  try {
    const mark = publicationMark(folder);
    await killUntilGone(() => processesWithEnvironment(PUBLICATION_VARIABLE, mark), KILL_MS);
    const left = await stat(scratch).catch(() => null);
    if (left) for (const dir of dirs) await removeLocks(dir, left.birthtimeMs || left.ctimeMs);
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch);
    await writeFile(join(scratch, 'README'), 'Robot Desktop is publishing this folder.\n');
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    scratch,
    [Symbol.asyncDispose]: async () => {
      await rm(scratch, { recursive: true, force: true });
      lock.release();
    },
  };
}

/** Removes git's locks of references, index and settings that are not older than a time. */
async function removeLocks(dir: string, sinceMs: number): Promise<void> {
  const found = [...(await namesIn(dir, false)), ...(await namesIn(join(dir, 'refs'), true))];
  for (const path of found.filter((name) => name.endsWith('.lock'))) {
    const lock = await stat(path).catch(() => null);
    if (lock?.isFile() && lock.mtimeMs >= sinceMs) await rm(path, { force: true });
  }
}

async function namesIn(dir: string, recursive: boolean): Promise<string[]> {
  const names = await readdir(dir, { recursive }).catch(() => []);
  return names.map((name) => join(dir, name));
}
