import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { succeeds } from '../../shared/async/succeeds.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { ListedFile } from './files-to-publish.ts';
import { answers, type Git, gitIn, lineOf, OBJECT_ID } from './git-command.ts';

/** The app's folder as git sees it. */
export interface FolderGit {
  readonly git: Git;
  /**
   * `own`: the folder is the top of a repository. `outer`: it lies in one. `none`: there is no repository. `unusable`: git
   * is not installed or refuses the folder.
   */
  readonly kind: 'own' | 'outer' | 'none' | 'unusable';
  /** The absolute paths of the repository's data and of what its worktrees share; empty: there is none. */
  readonly dirs: readonly string[];
}

/** Records the commit of a publication before it is pushed. It is neither pushed nor shown among the branches. */
export const PUBLISHED_REF = 'refs/robot-desktop/published';

/** @param folder its real path */
export async function openFolderGit(
  folder: string,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FolderGit> {
  const git = gitIn(folder, environment, signal);
  try {
    const lines = await git(['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir']);
    const [top = '', own = '', common = ''] = lines.slice(-3);
    const isOwn = (await realpath(top)) === folder;
    return {
      git,
      kind: isOwn ? 'own' : 'outer',
      dirs: [...new Set([own, await realpath(join(folder, common)).catch(() => own)])],
    };
  } catch (error) {
    signal.throwIfAborted();
    const isMissing = !(error instanceof CommandFailed) || error.exitCode === null;
    const isBroken = await succeeds(lstat(join(folder, '.git')));
    return { git, kind: isMissing || isBroken ? 'unusable' : 'none', dirs: [] };
  }
}

/** The files that git tracks or would add; null: the folder is in no repository. */
export async function listedIn({ git, kind }: FolderGit): Promise<ListedFile[] | null> {
  if (kind !== 'own' && kind !== 'outer') return null;
  const listed = new Map<string, ListedFile>();
  // A file in the middle of a merge is listed several times.
  for (const line of await git(['ls-files', '--stage'])) {
    const [, mode, quoted] = /^(\d{6}) [0-9a-f]+ \d\t(.+)$/.exec(line) ?? [];
    const path = unquoted(quoted ?? '');
    if (path !== '') listed.set(path, { path, isTracked: true, isRepository: mode === '160000' });
  }
  for (const line of await git(['ls-files', '-t', '--others', '--exclude-standard'])) {
    const path = unquoted(/^\? (.+)$/.exec(line)?.[1] ?? '');
    if (path !== '') listed.set(path, { path, isTracked: false, isRepository: path.endsWith('/') });
  }
  return [...listed.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The address of the remote `space`; null: there is none. */
export const spaceRemote = (git: Git): Promise<string | null> =>
  lineOf(git, ['config', '--get', 'remote.space.url'], /./);

/** The commit that a name stands for; null: there is none. */
export const commitOf = (git: Git, name: string): Promise<string | null> =>
  lineOf(git, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], OBJECT_ID);

/** Whether a commit is one of those from which a name's commit was made, or that commit itself. */
export async function isAncestor(git: Git, commit: string, name: string): Promise<boolean> {
  try {
    return await answers(git, ['merge-base', '--is-ancestor', commit, name]);
  } catch (error) {
    // Other exit codes say that there is no such commit or name.
    if (error instanceof CommandFailed && error.exitCode !== null) return false;
    throw error;
  }
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A path as git prints it: in quotes, with escapes, if it holds control characters, quotes or backslashes. */
export function unquoted(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"')) return path;
  return path.slice(1, -1).replaceAll(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return escapes[letter] ?? letter;
  });
}
