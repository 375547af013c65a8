import { modelFileName } from '../contract/model-files/model-file-name.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { ModelFileInUse, ModelFileNotFound } from './errors.ts';
import type { StoredFile } from './files-at-commit.ts';
import type { ModelStore } from './model-store.ts';
import { type ModelUser, usersOf } from './model-users.ts';

export interface ModelInventoryDeps {
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
