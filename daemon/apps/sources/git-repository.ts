import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';
import { type GitLimits, gitFor, gitLimits } from './git.ts';

const FETCH_MS = 30 * 60_000;
const ASK_MS = 60_000;
/** Time limit for the trees above a folder. */
const TREE_MS = 60_000;

/**
 * Checks out a revision of a repository into a folder.
 * @param options.url the final address of the repository, redirects followed
 * @param options.revision a branch, a tag or a commit, also abbreviated; null: the server's HEAD
 * @param options.onBytes called with the number of bytes received so far
 * @returns the commit
 * @throws GitMissing, CommandFailed, or the reason of a cancel
 */
export async function checkOut(options: {
  url: string;
  revision: string | null;
  dir: string;
  run: RunStep;
  onBytes: (bytes: number) => void;
  /** Called with git's output other than progress. */
  onLine: (line: string) => void;
  limits?: GitLimits;
}): Promise<string> {
  const { url, revision, dir, run, onBytes, limits = gitLimits } = options;
  const git = gitFor(url, run, limits);
  let receivedBytes = 0;
  const onLine = (line: string) => {
    const received = bytesReceived(line);
    if (received !== null) {
      receivedBytes = received;
      onBytes(received);
    } else if (!isProgress(line)) options.onLine(line);
  };
  await git(['init', '--quiet', dir]);
  const fetch = (...what: string[]) =>
    git(['-C', dir, 'fetch', '--progress', '--no-recurse-submodules', '--no-auto-maintenance', ...what], {
      deadlineMs: FETCH_MS,
      carriageReturns: true,
      onLine,
      limits: { ...limits, isTooMuch: () => receivedBytes > limits.bytes },
    });
  const checkOutCommit = async (commit: string) => {
    await requireSize(git, dir, commit, limits);
    await git(['-C', dir, 'checkout', '--quiet', '--detach', commit]);
  };
  try {
    await fetch('--depth=1', '--no-tags', '--', url, revision ?? 'HEAD');
    await checkOutCommit('FETCH_HEAD');
  } catch (error) {
    // An abbreviated commit, or a server that serves only branches and tags: fetch all of them to find it.
    if (!(error instanceof CommandFailed) || error.exceeded || revision === null || !/^[0-9a-f]{4,64}$/.test(revision))
      throw error;
    await fetch('--tags', '--', url, '+refs/heads/*:refs/remotes/origin/*');
    await checkOutCommit(`${revision}^{commit}`);
  }
  const [commit = ''] = (await git(['-C', dir, 'rev-parse', '--verify', 'HEAD^{commit}'])).slice(-1);
  return commit.trim();
}

/**
 * Adds up the files of a commit before they are written: a small pack can hold endless ones.
 * @throws CommandFailed when they are more than the limits allow
 */
async function requireSize(
  git: ReturnType<typeof gitFor>,
  dir: string,
  commit: string,
  limits: GitLimits,
): Promise<void> {
  let [bytes, files] = [0, 0];
  const isTooMuch = () => bytes > limits.bytes || files > limits.files;
  const onLine = (line: string) => {
    const size = /^\d+ \w+ [0-9a-f]+ +(\d+|-)\t/.exec(line)?.[1];
    if (size !== undefined) files += 1;
    bytes += Number(size) || 0;
  };
  const { memoryBytes } = limits;
  await git(['-C', dir, 'ls-tree', '-r', '-l', '--full-tree', commit], { onLine, limits: { memoryBytes, isTooMuch } });
  if (isTooMuch()) throw new CommandFailed('git', 'listed too many files', null, false, [], 'amount');
}

/** The current commit of a revision, without fetching anything; null when the server has no such branch or tag. */
export async function latestCommit(options: {
  url: string;
  revision: string | null;
  run: RunStep;
  limits?: GitLimits;
}): Promise<string | null> {
  const { url, revision, run, limits } = options;
  const names =
    revision === null ? ['HEAD'] : [`refs/heads/${revision}`, `refs/tags/${revision}`, `refs/tags/${revision}^{}`];
  const lines = await gitFor(url, run, limits)(['ls-remote', '--quiet', '--', url, ...names], { deadlineMs: ASK_MS });
  // Git also lists names that only end like these, such as refs/remotes/origin/HEAD.
  const found = lines.flatMap((line) => {
    const [, commit = '', name = ''] = /^([0-9a-f]{40,64})\t(\S+)$/.exec(line) ?? [];
    return names.includes(name) ? [commit] : [];
  });
  // The last one: the commit of an annotated tag comes after the tag itself.
  return found.at(-1) ?? null;
}

/** Whether a line reports only the progress of git or the server. */
export const isProgress = (line: string) => /^(?:remote: )?\w+ objects: /.test(line);

/** Reads the received size from `Receiving objects: 45% (9/20), 1.20 MiB | 300 KiB/s`. */
function bytesReceived(line: string): number | null {
  const [, amount, unit] = /Receiving objects:.*?, ([\d.]+) (bytes|KiB|MiB|GiB)/.exec(line) ?? [];
  if (amount === undefined) return null;
  return Math.round(Number(amount) * { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }[unit as 'KiB']);
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
  await git(['-C', dir, 'fetch', ...how, '--', url, revision ?? 'HEAD'], { deadlineMs: TREE_MS });
  const [commit = ''] = (await git(['-C', dir, 'rev-parse', '--verify', 'FETCH_HEAD^{commit}'])).slice(-1);
  const tree = await treeOf(git, dir, commit.trim(), folder);
  return tree === undefined ? null : { commit: commit.trim(), tree };
}

/** The tree at a path of a commit; undefined where there is no folder. Git does not follow links. */
export async function treeOf(
  git: ReturnType<typeof gitFor>,
  dir: string,
  commit: string,
  folder: string,
): Promise<string | undefined> {
  const entries = await git(['-C', dir, 'ls-tree', '-z', commit, '--', folder]);
  return /^040000 tree ([0-9a-f]{40,64})\t/.exec(entries.join('\n'))?.[1];
}
