import type { RunStep } from '../python/python-env.ts';
import { gitFor } from './git-repository.ts';

const FETCH_MS = 60_000;

/** The tree of a folder in a checked-out repository. @throws CommandFailed when there is no such folder */
export async function checkedOutTree(options: {
  url: string;
  dir: string;
  folder: string;
  run: RunStep;
}): Promise<string> {
  const { url, dir, folder, run } = options;
  const lines = await gitFor(url, run)(['-C', dir, 'rev-parse', '--verify', `HEAD:${folder}`]);
  return lines.at(-1)?.trim() ?? '';
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
  const entries = await git(['-C', dir, 'ls-tree', '-z', commit.trim(), '--', folder]);
  const tree = /^040000 tree ([0-9a-f]{40,64})\t/.exec(entries.join('\n'))?.[1];
  return tree === undefined ? null : { commit: commit.trim(), tree };
}
