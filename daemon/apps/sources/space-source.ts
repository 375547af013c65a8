import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageFiles } from '../../app-package/package-files.ts';
import type { RequestedSource } from '../../contract/apps/app-source.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { HubFile } from '../../hub/repository-files.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import { MAX_PACKAGE_BYTES } from './folder-source.ts';
import type { FetchStep, FoundPackage } from './found-package.ts';
import { treeOfFiles } from './latest-version.ts';

type Wanted = Extract<RequestedSource, { kind: 'space' }>;

/** A package in a Space. It is checked on the hub before the download. */
export async function fromSpace(
  wanted: Wanted,
  hub: HubClient,
  { clock, progress, workDir }: FetchStep,
): Promise<FoundPackage> {
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
  return {
    source: wanted,
    files: await remoteFiles({ id, prefix }, commit, files, hub, signal),
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

/** The files for the checks, read from the hub on demand. */
async function remoteFiles(
  { id, prefix }: { readonly id: string; readonly prefix: string },
  commit: string,
  files: readonly HubFile[],
  hub: HubClient,
  signal: AbortSignal,
): Promise<PackageFiles> {
  const paths = files.map(({ path }) => path.slice(prefix.length));
  const read = async (path: string, maxBytes = 1024 * 1024) =>
    paths.includes(path) ? hub.readFile({ type: 'space', id }, commit, prefix + path, maxBytes, signal) : null;
  return {
    paths,
    pyproject: await read('pyproject.toml'),
    readme: await read('README.md', 64 * 1024),
    read: (path) => read(path),
    largeFilePointers: async () => [], // the hub serves large files themselves, not their pointers
  };
}

function isOfGit(path: string): boolean {
  return /^\.git(?:\/|attributes$|ignore$|modules$)/.test(path);
}
