import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { AppSource, RequestedSource } from '../../contract/apps/app-source.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import { copyPackage } from './folder-source.ts';
import type { FetchStep, FoundPackage } from './found-package.ts';
import { repositoryAddress } from './git-address.ts';
import { gitFailure } from './git-failure.ts';
import { checkOut } from './git-repository.ts';

type Wanted = Extract<RequestedSource, { kind: 'git' }>;

/** A package in a git repository, which can be checked only after the download. */
export async function fromRepository(wanted: Wanted, safeFetch: SafeFetch, step: FetchStep): Promise<FoundPackage> {
  const { progress, run, workDir, dataDir } = step;
  const url = await repositoryAddress(wanted.url, safeFetch, progress.signal);
  if (url !== wanted.url) progress.log(`${wanted.url} leads to ${url}`);
  return {
    source: wanted,
    files: null,
    sizeBytes: null,
    fetch: async (to): Promise<Extract<AppSource, { kind: 'git' }>> => {
      const dir = join(workDir, 'repository');
      const meter = new TransferMeter(null, progress.transfer);
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
        await copyPackage(await folderWithin(dir, wanted.subdirectory), to, progress.signal);
        return { ...wanted, commit };
      } finally {
        meter.close();
      }
    },
  };
}

/** A folder inside the repository. @throws JobFailed when it is missing or a link leads out of the repository */
async function folderWithin(dir: string, subdirectory: string): Promise<string> {
  const top = await realpath(dir);
  const folder = await realpath(join(dir, subdirectory)).catch(() => null);
  const isInside = folder !== null && `${folder}${sep}`.startsWith(`${top}${sep}`);
  if (!isInside || !(await stat(folder)).isDirectory()) {
    throw new JobFailed({
      reason: 'not-found',
      message: `The repository has no folder ${subdirectory}.`,
      action: 'Check what follows #subdirectory= in the address.',
    });
  }
  return folder;
}
