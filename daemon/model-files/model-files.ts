import { basename, dirname } from 'node:path';
import { WHOLE_REPOSITORY } from '../contract/model-files/model-file-name.ts';
import type { GgufFacts, ModelFile as ListedModelFile } from '../contract/model-files/model-files.ts';
import { HubError } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import type { Clock } from '../shared/clock.ts';
import { diskSpace } from '../shared/files/disk-space.ts';
import type { Logger } from '../shared/logger.ts';
import { partsOf } from './choose-files.ts';
import { ModelFileError } from './errors.ts';
import type { ModelFile } from './file-download.ts';
import { GgufCheck } from './gguf-check.ts';
import { DownloadedBytes, LocalCopies, type ModelProgress } from './local-copies.ts';
import { type ChosenFiles, ggufChoosing, repositoryChoosing, type WantedModel } from './model-choice.ts';
import type { ModelUser } from './model-inventory.ts';
import { ModelInventory } from './model-inventory.ts';
import { ModelStore, openToContainers } from './model-store.ts';
import { Recent } from './recent.ts';
import { type ListedFiles, RevisionChoice, type WantedRevision } from './revision-choice.ts';

export interface ModelFilesDeps {
  /** Holds the files; created when first needed. */
  readonly folder: string;
  readonly hub: Pick<HubClient, 'resolveModel' | 'files' | 'open'>;
  /** The program that reads headers in a worker thread, gguf-reader. */
  readonly ggufReader: string;
  /** The endpoints that use model files. */
  readonly users: () => Promise<readonly ModelUser[]>;
  /** The space that a download leaves free on the disk, bytes. */
  readonly reserveBytes: number;
  /** The wait before a broken transfer is continued, milliseconds. */
  readonly retryMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The .gguf files of a model on this machine: absolute paths, checked just now. */
export interface LocalModel {
  /** The first part of a split model. */
  readonly modelPath: string;
  /** The vision file; null: none. */
  readonly mmprojPath: string | null;
  /** The draft model for speculative decoding; null: none. */
  readonly draftPath: string | null;
  /** Of the model itself. */
  readonly facts: GgufFacts;
}

interface DownloadOptions {
  readonly signal: AbortSignal;
  /** Called with each piece that arrives. */
  readonly onProgress: (progress: ModelProgress) => void;
}

/** The space for a download, in bytes. */
export interface DownloadSize {
  /** Of all files. */
  readonly totalBytes: number;
  /** Of those that are not on this machine. */
  readonly missingBytes: number;
}

/**
 * The times for which lists of the hub, and its failures, are kept for those who only look. A person who tries again asks the
 * hub again.
 */
const LIST_KEPT_MS = 5 * 60_000;
const FAILURE_KEPT_MS = 1_000;
const LISTS_KEPT = 200;

/** The files of models: one copy on this machine for all endpoints, each checked before it is used. */
export class ModelFiles {
  readonly #deps: ModelFilesDeps;
  readonly #store: ModelStore;
  readonly #models: RevisionChoice<WantedModel, ChosenFiles>;
  readonly #repositories: RevisionChoice<WantedRevision, ListedFiles>;
  readonly #check: GgufCheck;
  readonly #copies: LocalCopies;
  readonly #inventory: ModelInventory;
  /** The number of callers that prepare a file or a repository, by its path on this machine. */
  readonly #busy = new Map<string, number>();

  constructor(deps: ModelFilesDeps) {
    this.#deps = deps;
    this.#store = new ModelStore(deps.folder, deps.log);
    const keptMs = (list: unknown) => (list instanceof HubError ? FAILURE_KEPT_MS : LIST_KEPT_MS);
    const recent = new Recent<ListedFiles | HubError>({ elapsedMs: deps.clock.elapsedMs, keptMs, most: LISTS_KEPT });
    const choiceDeps = { hub: deps.hub, store: this.#store, recent, clock: deps.clock, log: deps.log };
    this.#models = new RevisionChoice(ggufChoosing, choiceDeps);
    this.#repositories = new RevisionChoice(repositoryChoosing, choiceDeps);
    this.#check = new GgufCheck(deps.clock, deps.ggufReader);
    this.#copies = new LocalCopies({ ...deps, store: this.#store, check: this.#check });
    const isBusy = ({ location }: { readonly location: string }) => this.#busy.has(location);
    this.#inventory = new ModelInventory({ store: this.#store, users: deps.users, isBusy });
  }

  /**
   * Downloads the files of a model, unless they are here, and checks them. Callers for the same file share a download.
   * @throws HubError, ModelFileError, or the reason of the signal; what was downloaded stays for the next call
   */
  async ensure(wanted: WantedModel, options: DownloadOptions): Promise<LocalModel & { readonly commit: string }> {
    const { signal } = options;
    const { repository } = wanted;
    const { commit, files: chosen, model, mmproj, draft } = await this.#models.choose(wanted, signal);
    const here = (file: ModelFile['file']) => ({ repository, commit, file });
    const files = chosen.map(here);
    return this.#preparing(files, null, async () => {
      const downloaded = await this.#download(files, options);
      const facts = new Map<string, GgufFacts>();
      for (const file of files) facts.set(file.file.path, await this.#copies.verified(file, downloaded, signal));
      await this.#touch({ repository, commit }, [...facts.keys()]);
      const pathOf = ([first]: readonly ModelFile['file'][]) => (first ? this.#store.locationOf(here(first)) : null);
      return {
        modelPath: pathOf(model) as string,
        mmprojPath: pathOf(mmproj),
        draftPath: pathOf(draft),
        commit,
        facts: combined(model.map(({ path }) => facts.get(path) as GgufFacts)),
      };
    });
  }

  /**
   * Downloads the files of a repository that an engine in a container reads, unless they are here. Large files are
   * checked by their hash when they arrive, and at each call every file by its size.
   * @returns the absolute path of the commit's folder, with the names of the repository; every user may read what is in it
   * @throws HubError, ModelFileError, or the reason of the signal; what was downloaded stays for the next call
   */
  async ensureRepository(wanted: WantedRevision, options: DownloadOptions) {
    const { repository } = wanted;
    const { commit, files: chosen } = await this.#repositories.choose(wanted, options.signal);
    const files = chosen.map((file) => ({ repository, commit, file }));
    const folder = this.#store.folderOf(repository, commit);
    return this.#preparing(files, folder, async () => {
      await this.#download(files, options);
      await openToContainers(folder);
      await this.#touch({ repository, commit }, [WHOLE_REPOSITORY, ...gguf(chosen)]);
      return { folder, commit };
    });
  }

  /**
   * The size of the download that `ensure` would begin now, without a change on the disk. Asks the hub at most 4 s.
   * @returns the error where nothing is here and the hub cannot be reached, does not answer in time, or has no such file
   */
  downloadSize(wanted: WantedModel): Promise<DownloadSize | HubError | ModelFileError> {
    return this.#sizeOf(wanted, this.#models);
  }

  /** The same of `ensureRepository`. */
  repositorySize(wanted: WantedRevision): Promise<DownloadSize | HubError | ModelFileError> {
    return this.#sizeOf(wanted, this.#repositories);
  }

  /** The folder of the files and the free space of its disk; null: it cannot be asked. */
  async disk(): Promise<{ readonly folder: string; readonly freeBytes: number } | null> {
    const { folder } = this.#deps;
    // The folder is created by the first download.
    const space = await diskSpace(folder).catch(() => diskSpace(dirname(folder)).catch(() => null));
    return space && { folder, freeBytes: space.freeBytes };
  }

  /** The space that a disk lacks for a download of so many bytes, with the downloads under way and a reserve; 0: it fits. */
  lackingBytes(missing: number, freeBytes: number): number {
    return this.#copies.lackingBytes(missing, freeBytes);
  }

  /**
   * Checks a file that the user has, with every part of a split model.
   * @param path absolute; of a split model, its first part
   * @throws ModelFileError, or the reason of the signal
   */
  async check(path: string, { signal }: { signal: AbortSignal }): Promise<GgufFacts> {
    const parts = partsOf(path);
    if (parts[0] !== path) throw notTheFirstPart(path, parts[0] ?? '');
    const facts: GgufFacts[] = [];
    for (const part of parts) facts.push(await this.#check.check(part, signal));
    return combined(facts);
  }

  /** Every file, complete or not, with its users. */
  list(): Promise<ListedModelFile[]> {
    return this.#inventory.list();
  }

  /** @returns the removed file @throws ModelFileNotFound, ModelFileInUse while an endpoint uses it */
  remove(id: string): Promise<ListedModelFile> {
    return this.#inventory.remove(id);
  }

  /** Does work on files that nobody may remove meanwhile. @param folder of the whole repository; null: of some files */
  async #preparing<T>(files: readonly ModelFile[], folder: string | null, work: () => Promise<T>): Promise<T> {
    const locations = files.map((file) => this.#store.locationOf(file));
    if (folder !== null) locations.push(folder);
    for (const location of locations) this.#busy.set(location, (this.#busy.get(location) ?? 0) + 1);
    try {
      return await work();
    } finally {
      for (const location of locations) {
        const left = (this.#busy.get(location) ?? 1) - 1;
        if (left > 0) this.#busy.set(location, left);
        else this.#busy.delete(location);
      }
    }
  }

  async #download(files: readonly ModelFile[], { signal, onProgress }: DownloadOptions): Promise<DownloadedBytes> {
    const downloaded = new DownloadedBytes(totalOf(files), onProgress);
    await this.#copies.needSpace(files);
    for (const file of files) await this.#copies.fetch(file, downloaded, signal);
    downloaded.verifying();
    return downloaded;
  }

  async #sizeOf<Wanted extends WantedRevision>(
    wanted: Wanted,
    choice: { look(wanted: Wanted): Promise<ListedFiles> },
  ): Promise<DownloadSize | HubError | ModelFileError> {
    const chosen = await choice.look(wanted).catch((error: unknown) => {
      if (error instanceof ModelFileError || error instanceof HubError) return error;
      throw error;
    });
    if (chosen instanceof Error) return chosen;
    const { repository } = wanted;
    const files = chosen.files.map((file) => ({ repository, commit: chosen.commit, file }));
    return { totalBytes: totalOf(files), missingBytes: await this.#copies.missingBytes(files) };
  }

  async #touch({ repository, commit }: Omit<ModelFile, 'file'>, paths: readonly string[]): Promise<void> {
    const at = this.#deps.clock.now().toISOString();
    await this.#store.update(repository, ({ used }) => {
      for (const path of paths) used[`${commit}/${path}`] = at;
    });
  }
}

const totalOf = (files: readonly ModelFile[]) => files.reduce((sum, { file }) => sum + file.size, 0);

/** The files that have a row of their own in the list of model files. */
const gguf = (files: readonly ModelFile['file'][]) =>
  files.flatMap(({ path }) => (path.endsWith('.gguf') ? [path] : []));

function notTheFirstPart(path: string, first: string): ModelFileError {
  const action = `Give the first one, ${basename(first)}.`;
  return new ModelFileError('ambiguous', `${basename(path)} is a later part of a split model.`, action);
}

/** The facts of a split model: its first part has them, except sizes. */
function combined(parts: readonly GgufFacts[]): GgufFacts {
  const sum = (number: (part: GgufFacts) => number) => parts.reduce((total, part) => total + number(part), 0);
  return {
    ...(parts[0] as GgufFacts),
    parameterCount: sum(({ parameterCount }) => parameterCount ?? 0) || null,
    sizeBytes: sum(({ sizeBytes }) => sizeBytes),
    isClassifier: parts.some(({ isClassifier }) => isClassifier),
  };
}
