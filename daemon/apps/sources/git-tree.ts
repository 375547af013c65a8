import type { RunStep } from '../python/python-env.ts';
import { gitFor } from './git-repository.ts';

const FETCH_MS = 60_000;

/** The tree of a folder in a checked-out repository; undefined where its path leads over a link. */
export async function checkedOutTree(options: {
  url: string;
  dir: string;
  folder: string;
  run: RunStep;
}): Promise<string | undefined> {
  const { url, dir, folder, run } = options;
  return treeOf(gitFor(url, run), { dir, commit: 'HEAD', folder });
}

/**
 * The commit of a revision and the tree of a folder in it. Fetches only the trees above the folder, where the server can
 * leave out the rest.
 * @param options.dir a folder that does not exist yet
 * @returns null when the commit has no such folder
 */
export async function remoteTree(options: {
  url: string;
  revision: string | null;
  folder: string;
  dir: string;
  run: RunStep;
}): Promise<{ commit: string; tree: string } | null> {
  const { url, revision, folder, dir, run } = options;
  const git = gitFor(url, run);
  await git(['init', '--quiet', '--bare', dir]);
  const trees = `--filter=tree:${folder.split('/').length}`;
  const how = ['--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance', trees];
  await git(['-C', dir, 'fetch', ...how, '--', url, revision ?? 'HEAD'], { deadlineMs: FETCH_MS });
  const [commit = ''] = (await git(['-C', dir, 'rev-parse', '--verify', 'FETCH_HEAD^{commit}'])).slice(-1);
  const tree = await treeOf(git, { dir, commit: commit.trim(), folder });
  return tree === undefined ? null : { commit: commit.trim(), tree };
}

/** The tree at a path of a commit; undefined where there is no folder. Git does not follow links. */
async function treeOf(
  git: ReturnType<typeof gitFor>,
  { dir, commit, folder }: { readonly dir: string; readonly commit: string; readonly folder: string },
): Promise<string | undefined> {
  const entries = await git(['-C', dir, 'ls-tree', '-z', commit, '--', folder]);
  return /^040000 tree ([0-9a-f]{40,64})\t/.exec(entries.join('\n'))?.[1];
}
