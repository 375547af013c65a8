import { createHash } from 'node:crypto';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Commit, SpaceId } from '../contract/apps/app-source.ts';
import type { ModelFile as ListedModelFile } from '../contract/model-files/model-files.ts';
import { KeyedMutex } from '../shared/async/mutex.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { makeFolder } from '../shared/files/make-folder.ts';
import { readStoredFile } from '../shared/files/stored-file.ts';
import type { Logger } from '../shared/logger.ts';
import { ModelFileError } from './errors.ts';
import type { ModelFile } from './file-download.ts';
import { discardPart, readDescription, sizeOf } from './partial-file.ts';
import { emptyRecord, REPOSITORY_RECORD, RepositoryRecord } from './repository-record.ts';

/** A file of a model on the disk. */
export type StoredFile = Omit<ListedModelFile, 'users'>;

const PART = '.part';
const MODEL = /\.gguf(?:\.part)?$/;

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
    return join(this.#folderOf(repository), Commit.parse(commit), ...file.path.split('/'));
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
    for (const { repository, commits } of await this.#records()) {
      for (const [commit, files] of Object.entries(commits)) {
        for (const file of files.filter((one) => one.sha256 === sha256)) {
          const location = this.locationOf({ repository, commit, file });
          if ((await sizeOf(location)) === size) return location;
        }
      }
    }
    return null;
  }

  /** Every file, complete or not, sorted by repository, commit and path. */
  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for (const record of await this.#records()) {
      for (const commit of await namesIn(this.#folderOf(record.repository))) {
        if (Commit.safeParse(commit).success) files.push(...(await this.#filesOf(record, commit)));
      }
    }
    return files.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  }

  /** Removes a file, complete or not, and the folders that it leaves empty. */
  async remove({ repository, commit, path, location }: StoredFile): Promise<void> {
    await rm(location, { force: true });
    await discardPart(location);
    const folder = this.#folderOf(repository);
    await removeEmpty(dirname(location), folder);
    const isLast = !(await namesIn(folder)).includes(commit);
    await this.update(repository, (record) => {
      delete record.used[`${commit}/${path}`];
      if (!isLast) return;
      delete record.commits[commit];
      for (const [name, at] of Object.entries(record.revisions)) if (at === commit) delete record.revisions[name];
    });
    await this.#forgetIfEmpty(folder);
  }

  async #filesOf(record: RepositoryRecord, commit: string): Promise<StoredFile[]> {
    const { repository, used } = record;
    const top = join(this.#folderOf(repository), commit);
    const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
    const found: StoredFile[] = [];
    for (const entry of entries) {
      const full = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !MODEL.test(entry.name)) continue;
      const isPart = entry.name.endsWith(PART);
      const location = isPart ? full.slice(0, -PART.length) : full;
      const path = relative(top, location).split(sep).join('/');
      const listed = record.commits[commit]?.find((file) => file.path === path)?.size;
      const totalBytes = listed ?? (isPart ? ((await readDescription(location))?.size ?? null) : null);
      const bytes = (await sizeOf(full)) ?? 0;
      const state = isPart ? 'partial' : totalBytes !== null && totalBytes !== bytes ? 'damaged' : 'complete';
      const id = idOf(repository, commit, path);
      const lastUsedAt = used[`${commit}/${path}`] ?? null;
      found.push({ id, repository, commit, path, location, bytes, totalBytes, state, lastUsedAt });
    }
    return found;
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
  const isRemoved = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isRemoved) await removeEmpty(dirname(folder), stop);
}

function idOf(repository: string, commit: string, path: string): string {
  return createHash('sha256').update([repository, commit, path].join('\n')).digest('hex').slice(0, 16);
}

const sortKey = ({ repository, commit, path }: StoredFile) => `${repository}\n${commit}\n${path}`;
