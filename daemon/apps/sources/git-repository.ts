import { devNull } from 'node:os';
import { DomainError } from '../../shared/domain-error.ts';
import { CommandFailed, type CommandOptions } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';
import { type GitLimits, gitLimits } from './git-limits.ts';

/** Git is not installed on this machine. */
export class GitMissing extends DomainError {
  constructor() {
    super('Git is needed to install from this address, and it is not installed on this machine.');
  }
}

const FETCH_MS = 30 * 60_000;
const ASK_MS = 60_000;
const LOCAL_MS = 5 * 60_000;

/**
 * Settings for git commands that contact a server: only by the protocol of the address, without redirects (they were
 * followed and checked before), without the user's configuration, hooks, credentials or filters, and without prompts.
 */
function networkGit(url: string, limits: GitLimits): { settings: string[]; env: Record<string, string> } {
  const protocol = new URL(url).protocol.slice(0, -1);
  const settings = {
    'protocol.allow': 'never',
    [`protocol.${protocol}.allow`]: 'always',
    'http.followRedirects': 'false',
    // A server that sends less than 100 bytes a second for this time has stalled.
    'http.lowSpeedLimit': '100',
    'http.lowSpeedTime': `${limits.stalledS}`,
    // Larger files are never held in memory, also those of a pack with few objects.
    'core.bigFileThreshold': '16m',
    // macOS counts the mapped pages of a pack as memory of git.
    'core.packedGitWindowSize': '16m',
    'core.packedGitLimit': '64m',
    // Else a thread for each core keeps up to 96 MB of a pack with many deltas.
    'core.deltaBaseCacheLimit': '16m',
    'pack.threads': '2',
    'fetch.unpackLimit': '1',
    'fetch.fsckObjects': 'true',
    'core.hooksPath': devNull,
    'core.protectNTFS': 'true',
    'core.protectHFS': 'true',
    'credential.helper': '',
    'gc.auto': '0',
    'advice.detachedHead': 'false',
  };
  return {
    settings: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    env: {
      GIT_ALLOW_PROTOCOL: protocol,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      GIT_LFS_SKIP_SMUDGE: '1',
      LC_ALL: 'C',
    },
  };
}

/** Runs git for one repository, with limited memory. @throws GitMissing, CommandFailed */
export function gitFor(url: string, run: RunStep, limits = gitLimits) {
  const { settings, env } = networkGit(url, limits);
  const { memoryBytes } = limits;
  return async (args: readonly string[], more: Partial<CommandOptions> = {}): Promise<string[]> => {
    try {
      return await run('git', [...settings, ...args], {
        deadlineMs: LOCAL_MS,
        limits: { memoryBytes },
        moreEnv: env,
        ...more,
      });
    } catch (error) {
      if (
        error instanceof CommandFailed &&
        error.exitCode === null &&
        !error.timedOut &&
        /ENOENT/.test(error.message)
      ) {
        throw new GitMissing();
      }
      throw error;
    }
  };
}

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
