import { Commit } from '../contract/apps/app-source.ts';
import { HubError } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import { checkPaths, type HubFile } from '../hub/repository-files.ts';
import { deadline, secondsText } from '../shared/async/deadline.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { ModelFileError } from './errors.ts';
import type { ModelStore } from './model-store.ts';
import { sizeOf } from './partial-file.ts';
import type { Recent } from './recent.ts';
import type { RepositoryRecord } from './repository-record.ts';

export interface WantedRevision {
  /** `owner/name` */
  readonly repository: string;
  /** A branch, tag or commit; null: the head of the main branch. */
  readonly revision: string | null;
  /** Whether the copy on the disk is wanted even if the branch has moved on, which the hub is then not asked about. */
  readonly prefersCopy?: boolean;
}

/** Which files of a repository are of interest, and how some of them are chosen. */
export interface Choosing<Wanted extends WantedRevision, Chosen extends ListedFiles> {
  /** The member of a repository's record that lists them. */
  readonly recorded: 'commits' | 'repositories';
  /** Those of all files that are listed there. */
  readonly listed: (files: readonly HubFile[]) => HubFile[];
  /** @throws ModelFileError */
  readonly chosen: (wanted: Wanted, commit: string, files: readonly HubFile[]) => Chosen;
}

/** The files of a repository at a commit. */
export interface ListedFiles {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

interface RevisionChoiceDeps {
  readonly hub: Pick<HubClient, 'resolveModel' | 'files'>;
  readonly store: ModelStore;
  /** The answers that `look` got: lists, and failures of the hub. */
  readonly recent: Recent<ListedFiles | HubError>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The time that the hub may take to name a branch's commit when a copy of it is on the disk. */
const RESOLVE_MS = 8_000;
/** The time that the hub may take to answer somebody who only looks at a model. */
const LOOK_MS = 4_000;

/** Finds the commit and the files of a wanted model: on the hub, or on the disk while the hub does not answer. */
export class RevisionChoice<Wanted extends WantedRevision, Chosen extends ListedFiles> {
  readonly #deps: RevisionChoiceDeps;
  readonly #choosing: Choosing<Wanted, Chosen>;

  constructor(choosing: Choosing<Wanted, Chosen>, deps: RevisionChoiceDeps) {
    this.#choosing = choosing;
    this.#deps = deps;
  }

  /**
   * Sends no request when the copy is preferred or a commit is wanted, and its files are here.
   * @throws HubError, ModelFileError, or the reason of the signal
   */
  async choose(wanted: Wanted, signal: AbortSignal): Promise<Chosen> {
    const { isCommit, copy } = await this.#here(wanted);
    if (copy && (isCommit || wanted.prefersCopy)) return copy;
    try {
      return await this.#onHub(wanted, copy === null ? null : RESOLVE_MS, signal);
    } catch (error) {
      if (!(error instanceof HubError) || !copy) throw error;
      this.#deps.log.warn(`model-files: the copy of ${wanted.repository} on this machine is used: ${error.message}`);
      return copy;
    }
  }

  /**
   * The files that `choose` would choose; changes nothing on the disk. The hub's lists are kept for a while, and its failure
   * too, so that a page may ask often.
   * @throws ModelFileError; HubError when there is no copy
   */
  async look(wanted: Wanted): Promise<Chosen> {
    const { isCommit, copy } = await this.#here(wanted);
    if (copy && isCommit) return copy;
    const { repository, revision } = wanted;
    const key = `${this.#choosing.recorded} ${repository}@${revision ?? ''}`;
    const listed = await this.#deps.recent.get(key, () => this.#listedSoon(repository, revision));
    if (!(listed instanceof HubError)) return this.#chosen(wanted, listed.commit, listed.files);
    if (copy) return copy;
    throw listed;
  }

  async #listedSoon(repository: string, revision: string | null): Promise<ListedFiles | HubError> {
    using limit = deadline(this.#deps.clock, LOOK_MS, tooSlow);
    // Awaited, so that the limit holds until the answer.
    return await this.#listed(repository, revision, limit.signal).catch((error: unknown) => {
      if (error instanceof HubError) return error;
      throw error;
    });
  }

  async #listed(repository: string, revision: string | null, signal: AbortSignal): Promise<ListedFiles> {
    const { hub, store } = this.#deps;
    const commit = await hub.resolveModel(repository, revision, signal);
    const known = this.#known(await store.record(repository), commit);
    const files = known ?? this.#choosing.listed(await hub.files({ type: 'model', id: repository }, commit, signal));
    return { commit, files };
  }

  async #onHub(wanted: Wanted, limitMs: number | null, signal: AbortSignal): Promise<Chosen> {
    const { store, clock } = this.#deps;
    const { repository, revision } = wanted;
    using limit = limitMs === null ? null : deadline(clock, limitMs, tooSlow, signal);
    const { commit, files } = await this.#listed(repository, revision, limit?.signal ?? signal);
    const chosen = this.#chosen(wanted, commit, files);
    await store.update(repository, (record) => {
      record[this.#choosing.recorded][commit] = [...files];
      if (revision !== commit) record.revisions[revision ?? ''] = commit;
    });
    return chosen;
  }

  async #here(wanted: Wanted): Promise<{ readonly isCommit: boolean; readonly copy: Chosen | null }> {
    const { repository, revision } = wanted;
    const record = await this.#deps.store.record(repository);
    const isCommit = revision !== null && Commit.safeParse(revision).success;
    const last = isCommit ? revision : record.revisions[revision ?? ''];
    return { isCommit, copy: last === undefined ? null : await this.#copy(wanted, last, this.#known(record, last)) };
  }

  #known(record: RepositoryRecord, commit: string): readonly HubFile[] | undefined {
    return record[this.#choosing.recorded][commit];
  }

  /** The files at a commit, if every one of them is on the disk. */
  async #copy(wanted: Wanted, commit: string, files: readonly HubFile[] | undefined): Promise<Chosen | null> {
    if (!files) return null;
    try {
      const chosen = this.#chosen(wanted, commit, files);
      for (const file of chosen.files) {
        const location = this.#deps.store.locationOf({ repository: wanted.repository, commit, file });
        if ((await sizeOf(location)) !== file.size) return null;
      }
      return chosen;
    } catch (error) {
      if (error instanceof ModelFileError) return null;
      throw error;
    }
  }

  #chosen(wanted: Wanted, commit: string, files: readonly HubFile[]): Chosen {
    const chosen = this.#choosing.chosen(wanted, commit, files);
    checkPaths(chosen.files);
    return chosen;
  }
}

const tooSlow = (ms: number) => new HubError('stalled', `The hub did not answer within ${secondsText(ms)}.`);
