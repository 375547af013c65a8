import { mkdir, realpath, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hubPackageFiles,
  MAX_TEXT_BYTES,
  type PackageFiles,
  readPackageOutline,
} from '../../app-package/package-files.ts';
import { isOutside } from '../../app-package/package-links.ts';
import { declaresNoApp } from '../../app-package/wrong-folder.ts';
import type { AppSource, RequestedSource } from '../../contract/apps/app-source.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { Clock } from '../../shared/clock.ts';
import { displayText } from '../../shared/display-text.ts';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import type { RunStep } from '../python/python-env.ts';
import { copyPackage, MAX_PACKAGE_BYTES, packageFolder } from './folder-source.ts';
import { gitFor } from './git.ts';
import { repositoryAddress } from './git-address.ts';
import { gitFailure } from './git-failure.ts';
import { checkOut, treeOf } from './git-repository.ts';
import { treeOfFiles } from './latest-version.ts';
import { type MissingSubmodule, missingSubmodules } from './submodules.ts';

/** A package that was inspected at its source, before its download. */
interface FoundPackage {
  /** Its source, links resolved. */
  readonly source: RequestedSource;
  /** The files that can be checked before the download; null when nothing can be checked before. */
  readonly files: PackageFiles | null;
  /** Size of the download; null when unknown. */
  readonly sizeBytes: number | null;
  /**
   * Copies it into a new folder.
   * @param check called before the copy with the files of a folder that declares no app; throws the reason
   */
  fetch(to: string, check: (files: PackageFiles) => Promise<unknown>): Promise<FetchedPackage>;
}

interface FetchedPackage {
  /** With the commit if there is one. */
  readonly source: AppSource;
  /** Those within the package or beside it, in its repository. */
  readonly submodules: readonly MissingSubmodule[];
}

export interface FetchDeps {
  readonly hub: HubClient;
  readonly safeFetch: SafeFetch;
  readonly samplesDir: string;
  readonly dataDir: string;
  readonly clock: Clock;
}

/** A fetch within a job. */
interface FetchStep extends FetchDeps {
  readonly progress: JobProgress;
  /** Runs a command within the job. */
  readonly run: RunStep;
  /** The job's work folder. */
  readonly workDir: string;
}

/**
 * Inspects a package at its source.
 * @throws JobFailed, HubError, AddressRefused, CommandFailed, or the reason of a cancel
 */
export async function findPackage(wanted: RequestedSource, step: FetchStep): Promise<FoundPackage> {
  switch (wanted.kind) {
    case 'folder': {
      const path = await packageFolder(wanted.path);
      return fromFolder({ kind: 'folder', path }, path, step);
    }
    case 'sample':
      return fromFolder(wanted, await packageFolder(join(step.samplesDir, wanted.sample)), step);
    case 'git':
      return fromRepository(wanted, step);
    case 'space':
      return fromSpace(wanted, step);
  }
}

async function fromFolder(source: AppSource, folder: string, { progress }: FetchStep): Promise<FoundPackage> {
  const outline = await readPackageOutline(folder);
  return {
    source,
    // A folder without an app, such as a user's home, is checked without copying it.
    files: declaresNoApp(outline) ? outline : null,
    sizeBytes: null,
    fetch: async (to) => {
      progress.log(`${await copyPackage(folder, to, progress.signal)} files copied from ${folder}`);
      return { source, submodules: await missingSubmodules(folder) };
    },
  };
}

type SpaceSource = Extract<RequestedSource, { kind: 'space' }>;

/** A package in a Space. It is checked on the hub before the download. */
async function fromSpace(wanted: SpaceSource, { hub, clock, progress, workDir }: FetchStep): Promise<FoundPackage> {
  const { id, revision, subdirectory = '' } = wanted;
  const { signal } = progress;
  const { commit } = await hub.resolve(id, revision, signal);
  progress.log(`${id} is at commit ${commit}`);
  const prefix = subdirectory && `${subdirectory}/`;
  const all = (await hub.files({ type: 'space', id }, commit, signal)).filter(({ path }) => !isOfGit(path));
  const files = all.filter(({ path }) => path.startsWith(prefix));
  if (prefix && files.length === 0) {
    throw new JobFailed({
      reason: 'not-found',
      message: `${id} has no folder ${subdirectory}.`,
      action: 'Check what follows #subdirectory= in the address.',
    });
  }
  const sizeBytes = files.reduce((sum, { size }) => sum + size, 0);
  if (sizeBytes > MAX_PACKAGE_BYTES) {
    throw new JobFailed({
      reason: 'not-an-app',
      message: `${id} holds ${Math.round(sizeBytes / 1e6)} MB, more than an app may have.`,
      action: 'Ask the author to keep large data elsewhere and fetch it at run time.',
    });
  }
  const paths = files.map(({ path }) => path.slice(prefix.length));
  const read = (path: string, maxBytes: number) =>
    hub.readFile({ type: 'space', id }, commit, prefix + path, maxBytes, signal);
  return {
    source: wanted,
    files: await hubPackageFiles(paths, read, { maxBytes: MAX_TEXT_BYTES, reads: Number.POSITIVE_INFINITY }),
    sizeBytes,
    fetch: async (to) => {
      const dir = prefix ? join(workDir, 'space') : to;
      await mkdir(dir, { recursive: true });
      const meter = new TransferMeter(clock, sizeBytes, progress.transfer);
      try {
        await hub.download({ type: 'space', id }, commit, files, dir, { signal, onBytes: (bytes) => meter.add(bytes) });
      } finally {
        meter.close();
      }
      if (prefix) await rename(join(dir, subdirectory), to);
      progress.log(`${files.length} files downloaded`);
      const tree = subdirectory && treeOfFiles(all, subdirectory);
      return { source: { ...wanted, commit, ...(tree && { tree }) }, submodules: [] };
    },
  };
}

function isOfGit(path: string): boolean {
  return /^\.git(?:\/|attributes$|ignore$|modules$)/.test(path);
}

type GitSource = Extract<RequestedSource, { kind: 'git' }>;

/** A package in a git repository, which can be checked only after the download. */
async function fromRepository(wanted: GitSource, step: FetchStep): Promise<FoundPackage> {
  const { safeFetch, clock, progress, run, workDir, dataDir } = step;
  const url = await repositoryAddress(clock, wanted.url, safeFetch, progress.signal);
  if (url !== wanted.url) progress.log(`${wanted.url} leads to ${url}`);
  return {
    source: wanted,
    files: null,
    sizeBytes: null,
    fetch: async (to, check) => {
      const dir = join(workDir, 'repository');
      const meter = new TransferMeter(clock, null, progress.transfer);
      try {
        const commit = await checkOut({
          url,
          revision: wanted.revision,
          dir,
          run,
          onBytes: (bytes) => meter.set(bytes),
          onLine: progress.log,
        }).catch((error: unknown) => {
          throw gitFailure(error, wanted.revision, dataDir);
        });
        progress.log(`commit ${commit}`);
        const submodules = await missingSubmodules(dir);
        const folder = await folderWithin(dir, wanted.subdirectory, submodules);
        const outline = await readPackageOutline(folder);
        if (declaresNoApp(outline)) await check(outline);
        await copyPackage(folder, to, progress.signal);
        const { subdirectory } = wanted;
        const tree = subdirectory && (await treeOf(gitFor(url, run), dir, 'HEAD', subdirectory));
        return { source: { ...wanted, commit, ...(tree && { tree }) }, submodules };
      } finally {
        meter.close();
      }
    },
  };
}

/** A folder inside the repository. @throws JobFailed when it is missing or a link leads out of the repository */
async function folderWithin(
  dir: string,
  subdirectory: string,
  submodules: readonly MissingSubmodule[],
): Promise<string> {
  const submodule = submodules.find(({ path }) => `${subdirectory}/`.startsWith(`${path}/`));
  if (submodule) throw isSubmodule(subdirectory, submodule);
  const top = await realpath(dir);
  const folder = await realpath(join(dir, subdirectory)).catch(() => null);
  if (folder === null || isOutside(top, folder) || !(await stat(folder)).isDirectory()) {
    throw new JobFailed({
      reason: 'not-found',
      message: `The repository has no folder ${subdirectory}.`,
      action: 'Check what follows #subdirectory= in the address.',
    });
  }
  return folder;
}

function isSubmodule(subdirectory: string, { path, url }: MissingSubmodule): JobFailed {
  const inside = subdirectory === path ? '' : ` and there its folder ${subdirectory.slice(path.length + 1)}`;
  return new JobFailed({
    reason: 'not-found',
    message: `${path} is a submodule: the files are in another repository, ${displayText(url, 200)}.`,
    action: `Install from that repository${inside}.`,
  });
}
