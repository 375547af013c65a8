import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../../shared/domain-error.ts';
import { takeFileLock } from '../../shared/files/file-lock.ts';
import { killUntilGone, processesWithEnvironment } from '../../shared/processes/processes.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { PublicationUnderWay } from '../errors.ts';
import { type FolderGit, openFolderGit, spaceRemote } from './folder-git.ts';
import { type Git, lastWords, PUBLICATION_VARIABLE, publicationMark, type SpaceAddress } from './git-command.ts';
import { spaceAt } from './space-id.ts';

interface RepositoryOptions {
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
      this.#scratch = await lockRepository(this.#options.folder, this.#found, this.#held);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.#options.log(`The Git repository cannot be written to: ${error.message}`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#held.disposeAsync();
  }
}

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

/** Holds the repository until it is complete; publications leave it out, and the next one removes it after a kill. */
const UNFINISHED = '.git.unfinished';

/** Creates a repository with the branch `main` and the remote `space`, complete or not at all. */
async function createRepository(folder: string, git: Git, spaceUrl: string): Promise<void> {
  const draft = join(folder, UNFINISHED);
  await rm(draft, { recursive: true, force: true });
  try {
    await git(['init', '--quiet', '--initial-branch=main', draft]);
    const inDraft = ['-C', draft];
    await git([...inDraft, 'remote', 'add', 'space', spaceUrl]);
    await rename(join(draft, '.git'), join(folder, '.git'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const KILL_MS = 5_000;

/**
 * Lets one publication of a folder write to its repository. First ends and removes what a killed one left: its git,
 * and the locks of git that were made since it began.
 * @param held gets what ends the lock
 * @returns a folder for its own files, empty
 * @throws PublicationUnderWay
 */
async function lockRepository(folder: string, { dirs }: FolderGit, held: AsyncDisposableStack): Promise<string> {
  const own = join(dirs[0] ?? join(folder, '.git'), 'robot-desktop');
  const scratch = join(own, 'publishing');
  await mkdir(own, { recursive: true });
  const lock = takeFileLock(join(own, 'lock'));
  if (!lock) throw new PublicationUnderWay(folder);
  await using taken = new AsyncDisposableStack(); // ended here if the rest fails
  taken.defer(() => lock.release());
  const mark = publicationMark(folder);
  await killUntilGone(() => processesWithEnvironment(PUBLICATION_VARIABLE, mark), KILL_MS);
  await rm(join(folder, UNFINISHED), { recursive: true, force: true }); // killed just as the repository was complete
  const left = await stat(scratch).catch(() => null);
  if (left) for (const dir of dirs) await removeLocks(dir, left.birthtimeMs || left.ctimeMs);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch);
  await writeFile(join(scratch, 'README'), 'Robot Desktop is publishing this folder.\n');
  taken.defer(() => rm(scratch, { recursive: true, force: true }));
  held.use(taken.move());
  return scratch;
}

/** Removes git's locks of references, index and settings that are not older than a time. */
async function removeLocks(dir: string, sinceMs: number): Promise<void> {
  const found = [...(await namesIn(dir, false)), ...(await namesIn(join(dir, 'refs'), true))];
  for (const path of found.filter((name) => name.endsWith('.lock'))) {
    const lock = await stat(path).catch(() => null);
    if (lock?.isFile() && lock.mtimeMs >= sinceMs) await rm(path, { force: true });
  }
}

async function namesIn(dir: string, recursive: boolean): Promise<string[]> {
  const names = await readdir(dir, { recursive }).catch(() => []);
  return names.map((name) => join(dir, name));
}
