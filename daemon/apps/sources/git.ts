import { devNull } from 'node:os';
import { DomainError } from '../../shared/domain-error.ts';
import { CommandFailed, type CommandOptions } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';
import { MAX_PACKAGE_BYTES } from './folder-source.ts';

/** Git is not installed on this machine. */
export class GitMissing extends DomainError {
  constructor() {
    super('Git is needed to install from this address, and it is not installed on this machine.');
  }
}

/** Limits of git's resources for one repository, whatever its server sends. */
export const gitLimits = {
  /**
   * The memory of git and its children, in bytes. A shallow fetch of 60,000 files and 300 MB takes 8 MB of it; only a
   * server of protocol 0 sends every branch and tag, about 1 KB of memory each, so that 500,000 of them fit.
   */
  memoryBytes: 512 * 1024 ** 2,
  /**
   * How long a fetch may print nothing, in ms: while it connects, reads the list of branches, waits for the server's
   * first object, and checks what has arrived. Between them git reports progress every second.
   */
  silentMs: 60_000,
  /** How long a connection may stand still, in s. Then git itself gives up, with a message. */
  stalledS: 30,
  /**
   * The size of the data received, and that of the files of a commit, in bytes. It exceeds the limit of one package,
   * since a repository can hold several apps.
   */
  bytes: 2 * MAX_PACKAGE_BYTES,
  /** The number of files of a commit. */
  files: 500_000,
};
export type GitLimits = Readonly<typeof gitLimits>;

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
export function gitFor(url: string, run: RunStep, limits: GitLimits = gitLimits) {
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
