import { isSystemError } from '../../../shared/domain-error.ts';
import { CommandFailed } from '../../../shared/processes/run-command.ts';
import { spaceAt } from '../space/space-id.ts';
import { type FolderGit, openFolderGit, PUBLISHED_REF, spaceRemote } from './folder-git.ts';
import { followPublication } from './follow-publication.ts';
import type { Git } from './git-command.ts';
import { fetchMain, type SpaceAddress } from './hub-git.ts';
import { createRepository } from './new-repository.ts';
import { lockRepository } from './repository-lock.ts';

export interface RepositoryOptions {
  /** The folder's real path. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** The author's repository, into which one publication at a time writes. */
export class AuthorRepository implements AsyncDisposable {
  #found: FolderGit;
  #scratch: string | null = null;
  readonly #options: RepositoryOptions;
  readonly #held = new AsyncDisposableStack();

  private constructor(found: FolderGit, options: RepositoryOptions) {
    this.#found = found;
    this.#options = options;
  }

  /** Opens the folder's repository, if it has one. @throws PublicationUnderWay */
  static async open(options: RepositoryOptions): Promise<AuthorRepository> {
    const { folder, environment, signal } = options;
    const repository = new AuthorRepository(await openFolderGit(folder, environment, signal), options);
    await repository.#lock();
    return repository;
  }

  get found(): FolderGit {
    return this.#found;
  }

  /**
   * Gives a folder without a repository one, and the repository the remote `space` if it has none.
   * @returns null when the publication goes without git; the log says why
   */
  async connect(address: SpaceAddress): Promise<ConnectedRepository | null> {
    const { folder, environment, signal, log } = this.#options;
    try {
      if (this.#found.kind === 'none') {
        await createRepository(folder, this.#found.git, address.url);
        this.#found = await openFolderGit(folder, environment, signal);
        await this.#lock();
        log('The folder becomes a Git repository, with the Space as its remote "space".');
      }
      const { git, kind } = this.#found;
      if (this.#scratch === null) {
        log(withoutGit[kind]);
        return null;
      }
      if ((await spaceRemote(git)) === null) {
        await git(['remote', 'add', 'space', address.url]);
        log('The Git repository gets the Space as its remote "space".');
      }
      const remote = await spaceRemote(git);
      const hasRemote = remote !== null && spaceAt(remote, address.hubUrl) === address.id;
      const tracking = hasRemote ? 'refs/remotes/space/main' : 'refs/robot-desktop/main';
      return { folder, git, scratch: this.#scratch, tracking, address, hasRemote };
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      log(`${withoutGit.own} ${lastWords(error)}`);
      return null;
    }
  }

  /** A repository that cannot be written to is published without git. */
  async #lock(): Promise<void> {
    if (this.#found.kind !== 'own') return;
    try {
      this.#scratch = this.#held.use(await lockRepository(this.#options.folder, this.#found)).scratch;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.#options.log(`The Git repository cannot be written to: ${error.message}`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#held.disposeAsync();
  }
}

/** The author's repository with the Space that it is published as. */
export interface ConnectedRepository {
  readonly folder: string;
  readonly git: Git;
  /** An own folder for temporary files. */
  readonly scratch: string;
  readonly address: SpaceAddress;
  /** The reference that holds the Space's branch `main`. */
  readonly tracking: string;
  /** Whether the remote `space` leads to the Space. */
  readonly hasRemote: boolean;
}

const withoutGit: Readonly<Record<FolderGit['kind'], string>> = {
  own: 'The files are sent to the hub without Git.',
  outer: 'The folder lies in a larger Git repository: the files are sent to the hub without Git.',
  none: 'The files are sent to the hub without Git.',
  unusable: 'Git is not installed, or refuses this folder: the files are sent to the hub without it.',
};

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

/** The last line of git's output that says why. */
export const lastWords = ({ lines, message }: CommandFailed): string =>
  lines.findLast((line) => /^(?:fatal|error): /.test(line)) ?? message;
