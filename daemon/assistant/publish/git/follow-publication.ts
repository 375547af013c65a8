import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ATTRIBUTES } from '../files/compare.ts';
import { commitOf, isAncestor } from './folder-git.ts';
import { answers, type Git, lineOf } from './git-command.ts';

/** Git's name for the tree without files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Moves the author's branch to a published commit, if that loses nothing: the branch has no commit yet or only earlier
 * ones of the Space, and nothing else is staged. The files stay as they are; the hub's own one is added.
 */
export async function followPublication(folder: string, git: Git, commit: string): Promise<void> {
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
