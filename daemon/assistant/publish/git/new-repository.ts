import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git-command.ts';

/** Holds the repository until it is complete; publications leave it out. */
const UNFINISHED = '.git.unfinished';

/** Creates a repository with the branch `main` and the remote `space`, complete or not at all. */
export async function createRepository(folder: string, git: Git, spaceUrl: string): Promise<void> {
  const draft = join(folder, UNFINISHED);
  await rm(draft, { recursive: true, force: true });
  try {
    await git(['init', '--quiet', '--initial-branch=main', draft]);
    const inDraft = ['-C', draft];
    await git([...inDraft, 'remote', 'add', 'space', spaceUrl]);
    await rename(join(draft, '.git'), join(folder, '.git'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
