import { Commit } from '../contract/apps/app-source.ts';
import { HubError } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import { checkPaths, type HubFile } from '../hub/repository-files.ts';
import { deadline, secondsText } from '../shared/async/deadline.ts';
import type { Logger } from '../shared/logger.ts';
import { chooseFiles } from './choose-files.ts';
import { ModelFileError } from './errors.ts';
import type { ModelStore } from './model-store.ts';
import { sizeOf } from './partial-file.ts';

export interface WantedModel {
  /** `owner/name` */
  readonly repository: string;
  /** A branch, tag or commit; null: the head of the main branch. */
  readonly revision: string | null;
  /** The path of the .gguf file in the repository, or a pattern such as `*Q4_K_M*`. */
  readonly model: string;
  /** The vision file; null: none. */
  readonly mmproj: string | null;
  /** The draft model for speculative decoding; null: none. */
  readonly draft: string | null;
  /** Whether the copy on the disk is wanted even if the branch has moved on, which the hub is then not asked about. */
  readonly prefersCopy?: boolean;
}

export interface ChosenFiles {
  readonly commit: string;
  /** Each part of the model, the first one first. */
  readonly model: readonly HubFile[];
  readonly mmproj: readonly HubFile[];
  readonly draft: readonly HubFile[];
}

export interface ModelChoiceDeps {
  readonly hub: Pick<HubClient, 'resolveModel' | 'files'>;
  readonly store: ModelStore;
  readonly log: Logger;
}

/** How long the hub may take to name a branch's commit when a copy of it is on the disk. */
const RESOLVE_MS = 8_000;

/** Finds the commit and the files of a wanted model: on the hub, or on the disk while the hub does not answer. */
export class ModelChoice {
  readonly #deps: ModelChoiceDeps;

  constructor(deps: ModelChoiceDeps) {
    this.#deps = deps;
  }

  /**
   * Sends no request when the copy is preferred or a commit is wanted, and its files are here.
   * @throws HubError, ModelFileError, or the reason of the signal
   */
  async choose(wanted: WantedModel, signal: AbortSignal): Promise<ChosenFiles> {
    const { store, log } = this.#deps;
    const { repository, revision } = wanted;
    const record = await store.record(repository);
    const isCommit = revision !== null && Commit.safeParse(revision).success;
    const last = isCommit ? revision : record.revisions[revision ?? ''];
    const copy = last === undefined ? null : await this.#copy(wanted, last, record.commits[last]);
    if (copy && (isCommit || wanted.prefersCopy)) return copy;
    try {
      return await this.#onHub(wanted, copy === null ? null : RESOLVE_MS, signal);
    } catch (error) {
      if (!(error instanceof HubError) || !copy) throw error;
      log.warn(`model-files: the copy of ${repository} on this machine is used: ${error.message}`);
      return copy;
    }
  }

  async #onHub(wanted: WantedModel, limitMs: number | null, signal: AbortSignal): Promise<ChosenFiles> {
    const { hub, store } = this.#deps;
    const { repository, revision } = wanted;
    using limit = limitMs === null ? null : deadline(limitMs, tooSlow, signal);
    const within = limit?.signal ?? signal;
    const commit = await hub.resolveModel(repository, revision, within);
    const known = (await store.record(repository)).commits[commit];
    const files = known ?? (await hub.files({ type: 'model', id: repository }, commit, within)).filter(isGguf);
    const chosen = chosenOf(wanted, commit, files);
    await store.update(repository, (record) => {
      record.commits[commit] = [...files];
      if (revision !== commit) record.revisions[revision ?? ''] = commit;
    });
    return chosen;
  }

  /** The files at a commit, if every one of them is on the disk. */
  async #copy(wanted: WantedModel, commit: string, files: readonly HubFile[] | undefined): Promise<ChosenFiles | null> {
    if (!files) return null;
    try {
      const chosen = chosenOf(wanted, commit, files);
      for (const file of [...chosen.model, ...chosen.mmproj, ...chosen.draft]) {
        const location = this.#deps.store.locationOf({ repository: wanted.repository, commit, file });
        if ((await sizeOf(location)) !== file.size) return null;
      }
      return chosen;
    } catch (error) {
      if (error instanceof ModelFileError) return null;
      throw error;
    }
  }
}

function chosenOf(wanted: WantedModel, commit: string, files: readonly HubFile[]): ChosenFiles {
  const choose = (path: string | null) => (path === null ? [] : chooseFiles(files, path, wanted.repository));
  const chosen = { commit, model: choose(wanted.model), mmproj: choose(wanted.mmproj), draft: choose(wanted.draft) };
  checkPaths([...new Set([...chosen.model, ...chosen.mmproj, ...chosen.draft])]);
  return chosen;
}

const isGguf = ({ path }: HubFile) => path.endsWith('.gguf');

const tooSlow = (ms: number) => new HubError('stalled', `The hub did not answer within ${secondsText(ms)}.`);
