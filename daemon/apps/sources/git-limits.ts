import { MAX_PACKAGE_BYTES } from './folder-source.ts';

/** Limits of git's resources for one repository, whatever its server sends. */
export interface GitLimits {
  /**
   * The memory of git and its children, in bytes. A shallow fetch of 60,000 files and 300 MB takes 8 MB of it; only a
   * server of protocol 0 sends every branch and tag, about 1 KB of memory each, so that 500,000 of them fit.
   */
  readonly memoryBytes: number;
  /**
   * How long a fetch may print nothing, in ms: while it connects, reads the list of branches, waits for the server's
   * first object, and checks what has arrived. Between them git reports progress every second.
   */
  readonly silentMs: number;
  /** How long a connection may stand still, in s. Then git itself gives up, with a message. */
  readonly stalledS: number;
  /**
   * The size of the data received, and that of the files of a commit, in bytes. It exceeds the limit of one package,
   * since a repository can hold several apps.
   */
  readonly bytes: number;
  /** The number of files of a commit. */
  readonly files: number;
}

export const gitLimits: GitLimits = {
  memoryBytes: 512 * 1024 ** 2,
  silentMs: 60_000,
  stalledS: 30,
  bytes: 2 * MAX_PACKAGE_BYTES,
  files: 500_000,
};
