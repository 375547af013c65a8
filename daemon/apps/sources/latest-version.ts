import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppSource, isSameContent } from '../../contract/apps/app-source.ts';
import { HubError } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { HubFile } from '../../hub/repository-files.ts';
import type { Clock } from '../../shared/clock.ts';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';
import { repositoryAddress } from './git-address.ts';
import { latestCommit, remoteTree } from './git-repository.ts';

/** The newest version of a source. */
export interface LatestVersion {
  readonly commit: string;
  /** Of the app's folder; undefined: the app is at the top, or it is unknown. */
  readonly tree?: string | undefined;
}

interface LatestVersionsDeps {
  readonly clock: Clock;
  readonly hub: Pick<HubClient, 'address' | 'resolve' | 'files'>;
  readonly safeFetch: SafeFetch;
  readonly childEnvironment: () => Record<string, string>;
  /** Holds work in progress. */
  readonly workDir: string;
}

/** Time limit for the answer of one source. */
const ASK_MS = 30_000;
/** Time limit for the trees above an app's folder. */
const COMPARE_MS = 90_000;

type GitSource = Extract<AppSource, { kind: 'git' }>;
type SpaceSource = Extract<AppSource, { kind: 'space' }>;

/** Looks up the newest versions of apps at their sources, without downloading them. */
export class LatestVersions {
  readonly #deps: LatestVersionsDeps;
  /** The trees of apps in folders by their commit, so that each commit is compared once. */
  readonly #trees = new Map<string, Promise<LatestVersion>>();

  constructor(deps: LatestVersionsDeps) {
    this.#deps = deps;
  }

  /**
   * @returns null when the source has no versions, or the branch or tag is gone
   * @throws HubError, JobFailed, CommandFailed, AddressRefused, or the reason of `signal`
   */
  async find(source: AppSource, signal: AbortSignal): Promise<LatestVersion | null> {
    if (source.kind === 'space') return this.#ofSpace(source, signal);
    return source.kind === 'git' ? this.#ofRepository(source, signal) : null;
  }

  async #ofSpace(source: SpaceSource, signal: AbortSignal): Promise<LatestVersion> {
    const { hub } = this.#deps;
    if (source.hub !== (await hub.address()))
      throw new HubError('not-found', `It came from another hub, ${source.hub}.`);
    const { id, revision, subdirectory } = source;
    const { commit } = await hub.resolve(id, revision, this.#within(signal, ASK_MS));
    if (subdirectory === undefined) return { commit };
    return this.#withTree(source, commit, async () => {
      const files = await hub.files({ type: 'space', id }, commit, this.#within(signal, COMPARE_MS));
      return { commit, tree: treeOfFiles(files, subdirectory) };
    });
  }

  async #ofRepository(source: GitSource, signal: AbortSignal): Promise<LatestVersion | null> {
    const { clock, safeFetch } = this.#deps;
    const { revision, subdirectory } = source;
    if (revision === source.commit) return source; // installed at a fixed commit
    const url = await repositoryAddress(clock, source.url, safeFetch, this.#within(signal, ASK_MS));
    const commit = await latestCommit({ url, revision, run: this.#run(this.#within(signal, ASK_MS), ASK_MS) });
    // An abbreviated commit is no branch or tag.
    if (commit === null) return revision !== null && source.commit.startsWith(revision) ? source : null;
    if (subdirectory === '') return { commit };
    return this.#withTree(source, commit, () => this.#fetchTree(url, source, signal));
  }

  /** Adds the tree where it decides. A failed comparison counts as a change, which an update then looks at. */
  async #withTree(
    source: GitSource | SpaceSource,
    commit: string,
    find: () => Promise<LatestVersion>,
  ): Promise<LatestVersion> {
    if (commit === source.commit || source.tree === undefined) return { commit };
    const key = JSON.stringify([source, commit]);
    const known = this.#trees.get(key) ?? find();
    this.#trees.set(key, known);
    return known.catch(() => {
      this.#trees.delete(key);
      return { commit };
    });
  }

  async #fetchTree(url: string, { revision, subdirectory }: GitSource, signal: AbortSignal): Promise<LatestVersion> {
    const { workDir } = this.#deps;
    await mkdir(workDir, { recursive: true });
    const dir = await mkdtemp(join(workDir, 'compare-'));
    try {
      const run = this.#run(this.#within(signal, COMPARE_MS), COMPARE_MS);
      const found = await remoteTree({ url, revision, folder: subdirectory, dir: join(dir, 'repository'), run });
      if (!found) throw new Error(`The repository has no folder ${subdirectory} any more.`);
      return found;
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }

  #within(signal: AbortSignal, ms: number): AbortSignal {
    return AbortSignal.any([signal, this.#deps.clock.timeout(ms)]);
  }

  #run(signal: AbortSignal, deadlineMs: number): RunStep {
    const env = this.#deps.childEnvironment();
    return (file, args, more) => runCommand(file, args, { env, deadlineMs, signal, ...more });
  }
}

/** Whether an app's source has nothing new. */
export function isCurrent(source: AppSource, latest: LatestVersion | null): boolean {
  return latest !== null && isSameContent(source, latest);
}

/** A digest of the files in a folder of a Space; undefined when the hub gives no hashes. */
export function treeOfFiles(files: readonly HubFile[], folder: string): string | undefined {
  const hash = createHash('sha256');
  for (const { path, sha256, oid } of files.filter((file) => file.path.startsWith(`${folder}/`)).sort(byPath)) {
    const content = sha256 ?? oid;
    if (content === undefined) return undefined;
    hash.update(JSON.stringify([path, content]));
  }
  return hash.digest('hex');
}

const byPath = (a: HubFile, b: HubFile) => (a.path < b.path ? -1 : 1);
