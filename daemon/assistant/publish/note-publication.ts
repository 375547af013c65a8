import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { ConnectedRepository } from './author-repository.ts';
import { ATTRIBUTES } from './compare.ts';
import { commitOf, isAncestor, PUBLISHED_REF } from './folder-git.ts';
import { answers, fetchMain, type Git, lastWords, lineOf } from './git-command.ts';

/**
 * Notes the published commit in the author's repository, and lets the branch follow where that loses nothing.
 * @param how.isHere whether the repository has the commit already
 * @param how.hasLargeFiles whether the commit has pointers in place of large files
 */
export async function notePublication(
  { folder, git, tracking, address }: ConnectedRepository,
  commit: string,
  how: { readonly isHere: boolean; readonly hasLargeFiles: boolean; readonly log: (line: string) => void },
): Promise<void> {
  try {
    if (!how.isHere) await fetchMain(git, address, tracking);
    await git(['update-ref', tracking, commit]);
    await git(['update-ref', PUBLISHED_REF, commit]);
    // Pointers would make the author's own files look changed.
    if (!how.hasLargeFiles) await followPublication(folder, git, commit);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    how.log(`The files are published. Git could not note it: ${lastWords(error)}`);
  }
}

/** Git's name for the tree without files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Moves the author's branch to a published commit, if that loses nothing: the branch has no commit yet or only earlier
 * ones of the Space, and nothing else is staged. The files stay as they are; the hub's own one is added.
 */
async function followPublication(folder: string, git: Git, commit: string): Promise<void> {
  const branch = await currentBranch(git);
  if (branch === null) return;
  const head = await commitOf(git, 'HEAD');
  if (head !== commit) {
    if (head !== null && !(await isAncestor(git, head, commit))) return;
    if (!(await isStaged(git, commit))) {
      if (!(await isStaged(git, head ?? EMPTY_TREE))) return;
      // Before the branch: an interruption between the two leaves everything staged, and the next call goes on.
      await git(['read-tree', commit]);
    }
    await git(['update-ref', branch, commit, head ?? '']);
  }
  await addHubsFile(folder, git);
}

/** Writes the file that the hub has made, which would look as if the author had removed it. */
async function addHubsFile(folder: string, git: Git): Promise<void> {
  const isThere = await lstat(join(folder, ATTRIBUTES)).catch(() => null);
  if (isThere || (await git(['ls-files', '--', ATTRIBUTES])).length === 0) return;
  await git(['checkout-index', '--quiet', '--', ATTRIBUTES]);
}

/** Whether the index has the files of a commit, no more and no less. */
const isStaged = (git: Git, tree: string) => answers(git, ['diff-index', '--cached', '--quiet', tree, '--']);

/** The reference of the branch; null: the author has checked out a commit. */
const currentBranch = (git: Git): Promise<string | null> =>
  lineOf(git, ['symbolic-ref', '--quiet', 'HEAD'], /^refs\/heads\//);
