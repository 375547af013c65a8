import { chmod, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Commit, SpaceId } from '../contract/apps/app-source.ts';
import { WHOLE_REPOSITORY } from '../contract/model-files/model-file-name.ts';
import { KeyedMutex } from '../shared/async/mutex.ts';
import { succeeds } from '../shared/async/succeeds.ts';
import { readStoredFile, writeJsonFile } from '../shared/files/json-file.ts';
import { makeFolder } from '../shared/files/make-folder.ts';
import type { Logger } from '../shared/logger.ts';
import { ModelFileError } from './errors.ts';
import type { ModelFile } from './file-download.ts';
import { filesAtCommit, otherFilesIn, type StoredFile } from './files-at-commit.ts';
import { discardPart, READABLE, sizeOf } from './partial-file.ts';
import { emptyRecord, REPOSITORY_RECORD, RepositoryRecord } from './repository-record.ts';

/** The models folder: `<owner>--<name>/<commit>/<path>`, and a record for each repository. */
export class ModelStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #locks = new KeyedMutex();

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  get folder(): string {
    return this.#folder;
  }

  /** The path of a complete file. */
  locationOf({ repository, commit, file }: ModelFile): string {
    return join(this.folderOf(repository, commit), ...file.path.split('/'));
  }

  /** The folder of a commit's files. */
  folderOf(repository: string, commit: string): string {
    return join(this.#folderOf(repository), Commit.parse(commit));
  }

  /** The record of a repository; a damaged one is set aside. @throws DataFolderReadOnly when it may not be read */
  async record(repository: string): Promise<RepositoryRecord> {
    const file = join(this.#folderOf(repository), REPOSITORY_RECORD);
    const { value } = await readStoredFile<RepositoryRecord>(file, RepositoryRecord, this.#log);
    return value ?? emptyRecord(repository);
  }

  /** Changes a repository's record; changes run one after the other. */
  async update(repository: string, change: (record: RepositoryRecord) => void): Promise<RepositoryRecord> {
    const folder = this.#folderOf(repository);
    return this.#locks.run(folder, async () => {
      const record = await this.record(repository);
      change(record);
      await makeFolder(folder);
      await writeJsonFile(join(folder, REPOSITORY_RECORD), record);
      return record;
    });
  }

  /** The path of a complete file with this content, from any repository; null: none. */
  async findContent(sha256: string, size: number): Promise<string | null> {
    for (const { repository, commits, repositories } of await this.#records()) {
      for (const [commit, files] of [...Object.entries(commits), ...Object.entries(repositories)]) {
        for (const file of files.filter((one) => one.sha256 === sha256)) {
          const location = this.locationOf({ repository, commit, file });
          if ((await sizeOf(location)) === size) return location;
        }
      }
    }
    return null;
  }

  /** Every file, complete or not, and whole repositories, sorted by repository, commit and path. */
  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for (const record of await this.#records()) {
      for (const commit of await namesIn(this.#folderOf(record.repository))) {
        if (!Commit.safeParse(commit).success) continue;
        files.push(...(await filesAtCommit(record, commit, this.folderOf(record.repository, commit))));
      }
    }
    return files.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  }

  /** Removes a file, complete or not, and the folders that it leaves empty. */
  async remove({ repository, commit, path, location }: StoredFile): Promise<void> {
    const folder = this.#folderOf(repository);
    const isWhole = path === WHOLE_REPOSITORY;
    for (const file of isWhole ? await otherFilesIn(location) : [location]) {
      await rm(file, { force: true });
      await discardPart(file);
      await removeEmpty(dirname(file), folder);
    }
    const isLast = !(await namesIn(folder)).includes(commit);
    await this.update(repository, (record) => {
      delete record.used[`${commit}/${path}`];
      if (isWhole || isLast) delete record.repositories[commit];
      if (!isLast) return;
      delete record.commits[commit];
      for (const [name, at] of Object.entries(record.revisions)) if (at === commit) delete record.revisions[name];
    });
    await this.#forgetIfEmpty(folder);
  }

  async #records(): Promise<RepositoryRecord[]> {
    const repositories = (await namesIn(this.#folder)).map(repositoryIn).filter((name) => name !== null);
    return Promise.all(
      repositories.map((repository) =>
        this.record(repository).catch((error: unknown) => {
          this.#log.error(`model-files: the record of ${repository} cannot be read`, error);
          return emptyRecord(repository);
        }),
      ),
    );
  }

  #forgetIfEmpty(folder: string): Promise<void> {
    return this.#locks.run(folder, async () => {
      const left = await namesIn(folder);
      if (left.every((name) => name.startsWith(REPOSITORY_RECORD))) await rm(folder, { recursive: true, force: true });
    });
  }

  /** @throws ModelFileError for a name that no repository of the hub has */
  #folderOf(repository: string): string {
    const folder = repository.replace('/', '--');
    if (SpaceId.safeParse(repository).success && repositoryIn(folder) === repository) return join(this.#folder, folder);
    throw new ModelFileError('missing', `"${repository}" is not the name of a model.`, 'Give it as owner/name.');
  }
}

/** The repository of a folder's name; null: it is none. */
function repositoryIn(folder: string): string | null {
  const [owner, name, ...more] = folder.split('--');
  const repository = `${owner}/${name}`;
  return more.length === 0 && SpaceId.safeParse(repository).success ? repository : null;
}

const namesIn = (folder: string) => readdir(folder).catch((): string[] => []);

async function removeEmpty(folder: string, stop: string): Promise<void> {
  if (folder === stop) return;
  if (await succeeds(rmdir(folder))) await removeEmpty(dirname(folder), stop);
}

const sortKey = ({ repository, commit, path }: StoredFile) => `${repository}\n${commit}\n${path}`;

const SEARCHABLE = 0o755;

/**
 * Lets every user read a folder: the program in a container that mounts it may be another one, without the right to
 * ignore permissions. Users of this machine are still kept out by the folders above.
 */
export async function openToContainers(folder: string): Promise<void> {
  await chmod(folder, SEARCHABLE);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? SEARCHABLE : READABLE).catch(unlessGone);
  }
}

/** A part of another download ends in between. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
