import { Commit } from '../contract/apps/app-source.ts';
import { modelFileName } from '../contract/model-files/model-file-name.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { isChosen } from './choose-files.ts';
import { ModelFileInUse, ModelFileNotFound } from './errors.ts';
import type { StoredFile } from './files-at-commit.ts';
import type { ModelStore } from './model-store.ts';
import type { RepositoryRecord } from './repository-record.ts';

interface ModelInventoryDeps {
  readonly store: ModelStore;
  /** The endpoints that use model files. */
  readonly users: () => Promise<readonly ModelUser[]>;
  /** Whether a file is being downloaded or checked now. */
  readonly isBusy: (file: StoredFile) => boolean;
}

/** The model files on the disk, and the endpoints that use them. Needs no running daemon. */
export class ModelInventory {
  readonly #deps: ModelInventoryDeps;

  constructor(deps: ModelInventoryDeps) {
    this.#deps = deps;
  }

  /** Every file, complete or not, sorted by repository, commit and path. */
  async list(): Promise<ModelFile[]> {
    const { store } = this.#deps;
    const [files, users] = await Promise.all([store.list(), this.#deps.users()]);
    return Promise.all(
      files.map(async (file) => {
        const { revisions } = await store.record(file.repository);
        return { ...file, users: usersOf(file, users, revisions) };
      }),
    );
  }

  /** @returns the removed file @throws ModelFileNotFound, ModelFileInUse while an endpoint uses it */
  async remove(id: string): Promise<ModelFile> {
    const file = (await this.list()).find((one) => one.id === id);
    if (!file) throw new ModelFileNotFound(id);
    if (file.users.length > 0 || this.#deps.isBusy(file)) throw new ModelFileInUse(modelFileName(file), file.users);
    await this.#deps.store.remove(file);
    return file;
  }
}

/** An endpoint that uses files of a model. */
export interface ModelUser {
  /** Its name for a person. */
  readonly endpoint: string;
  /** `owner/name` */
  readonly repository: string;
  /** A branch, tag or commit; null: the main branch. */
  readonly revision: string | null;
  /** Paths in the repository, or patterns of them. */
  readonly files: readonly string[] | 'all';
}

/** The names of the endpoints that use a file. Those whose branch is not known yet count. */
export function usersOf(
  { repository, commit, path }: Pick<StoredFile, 'repository' | 'commit' | 'path'>,
  users: readonly ModelUser[],
  revisions: RepositoryRecord['revisions'],
): string[] {
  return users
    .filter((user) => {
      const isCommit = user.revision !== null && Commit.safeParse(user.revision).success;
      const at = isCommit ? user.revision : (revisions[user.revision ?? ''] ?? commit);
      return user.repository === repository && at === commit && uses(user, path);
    })
    .map(({ endpoint }) => endpoint)
    .sort();
}

function uses({ files }: ModelUser, path: string): boolean {
  return files === 'all' || files.some((wanted) => isChosen(path, wanted));
}
