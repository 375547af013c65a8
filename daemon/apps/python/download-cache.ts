import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DownloadCache, PrunedDownloadCache } from '../../contract/apps/apps.ts';
import { Conflict, DomainError } from '../../shared/domain-error.ts';
import { cacheSize } from '../../shared/files/folder-size.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import type { RunStep } from './python-env.ts';
import { findUv, installEnvironment, pipCacheDir, toolEnvironments, uvCacheDir } from './uv-and-pip.ts';

/** The downloads are in use, or are being removed. */
class DownloadCacheInUse extends Conflict {
  constructor(why: string) {
    super(`${why} Wait for its end, then try again.`);
  }
}

export class DownloadCacheNotPruned extends DomainError {
  constructor(why: string) {
    super(`The downloads could not be removed: ${why}`);
  }
}

interface DownloadCachesDeps {
  /** Holds the caches of pip and uv. */
  readonly cacheDir: string;
  readonly toolsDir: string;
  readonly isInstalling: () => boolean;
  readonly childEnvironment: () => Record<string, string>;
}

const PRUNE_MS = 10 * 60_000;

/** The downloads that installs keep for later ones. Removed apps leave theirs there. */
export class DownloadCaches {
  readonly #deps: DownloadCachesDeps;
  #counting: Promise<DownloadCache> | null = null;
  #pruning: Promise<unknown> | null = null;

  constructor(deps: DownloadCachesDeps) {
    this.#deps = deps;
  }

  /** Its size; a second call joins the first. */
  size(): Promise<DownloadCache> {
    this.#counting ??= downloadCacheIn(this.#deps.cacheDir).finally(() => {
      this.#counting = null;
    });
    return this.#counting;
  }

  /** Removes the downloads. @throws DownloadCacheInUse, DownloadCacheNotPruned */
  async prune(): Promise<PrunedDownloadCache> {
    if (this.#pruning) throw new DownloadCacheInUse('The downloads are being removed.');
    if (this.#deps.isInstalling()) throw new DownloadCacheInUse('An app is being installed.');
    const pruning = this.#prune().finally(() => {
      this.#pruning = null;
    });
    this.#pruning = pruning;
    return pruning;
  }

  /** Waits for the end of a removal, before an install uses the downloads. Never rejects. */
  async ready(): Promise<void> {
    await this.#pruning?.catch(() => {});
  }

  async #prune(): Promise<PrunedDownloadCache> {
    const { cacheDir, toolsDir, childEnvironment } = this.#deps;
    const before = await downloadCacheIn(cacheDir);
    const env = installEnvironment(cacheDir, childEnvironment());
    const run: RunStep = (file, args, more) => runCommand(file, args, { env, deadlineMs: PRUNE_MS, ...more });
    try {
      await pruneDownloads(cacheDir, await findUv(await toolEnvironments(toolsDir), run), run);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      throw new DownloadCacheNotPruned(error.lines.at(-1) ?? error.message);
    }
    const after = await downloadCacheIn(cacheDir);
    return { ...after, freedBytes: Math.max(0, before.unusedBytes - after.unusedBytes) };
  }
}

/** The size of the downloads in a folder of caches. */
export async function downloadCacheIn(cacheDir: string): Promise<DownloadCache> {
  const sizes = [await cacheSize(uvCacheDir(cacheDir)), await cacheSize(pipCacheDir(cacheDir))];
  return {
    path: cacheDir,
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    unusedBytes: sizes.reduce((sum, { unlinkedBytes }) => sum + unlinkedBytes, 0),
    isComplete: sizes.every(({ isComplete }) => isComplete),
  };
}

/**
 * Removes the downloads in a folder of caches. The environments of apps have their own links or copies.
 * @param uv the program; null: none
 * @throws CommandFailed
 */
export async function pruneDownloads(cacheDir: string, uv: string | null, run: RunStep): Promise<void> {
  const uvCache = uvCacheDir(cacheDir);
  // A plain prune keeps every download that can be used again. Builds of uv itself take long, and stay.
  if (uv !== null) await run(uv, ['cache', 'prune', '--ci', '--cache-dir', uvCache], { deadlineMs: PRUNE_MS });
  else await rm(uvCache, { recursive: true, force: true });
  // `pip cache purge` removes the same, and pip may not be there.
  for (const name of ['http', 'http-v2', 'wheels']) {
    await rm(join(pipCacheDir(cacheDir), name), { recursive: true, force: true });
  }
}
