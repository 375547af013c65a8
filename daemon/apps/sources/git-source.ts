import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readPackageOutline } from '../../app-package/package-files.ts';
import { declaresNoApp } from '../../app-package/wrong-folder.ts';
import type { RequestedSource } from '../../contract/apps/app-source.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { displayText } from '../../shared/display-text.ts';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import { copyPackage } from './folder-source.ts';
import type { FetchStep, FoundPackage } from './found-package.ts';
import { repositoryAddress } from './git-address.ts';
import { gitFailure } from './git-failure.ts';
import { checkOut } from './git-repository.ts';
import { checkedOutTree } from './git-tree.ts';
import { type MissingSubmodule, missingSubmodules } from './submodules.ts';

type Wanted = Extract<RequestedSource, { kind: 'git' }>;

/** A package in a git repository, which can be checked only after the download. */
export async function fromRepository(wanted: Wanted, safeFetch: SafeFetch, step: FetchStep): Promise<FoundPackage> {
  const { clock, progress, run, workDir, dataDir } = step;
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
        const tree = subdirectory && (await checkedOutTree({ url, dir, folder: subdirectory, run }));
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

function isSubmodule(subdirectory: string, { path, url }: MissingSubmodule): JobFailed {
  const inside = subdirectory === path ? '' : ` and there its folder ${subdirectory.slice(path.length + 1)}`;
  return new JobFailed({
    reason: 'not-found',
    message: `${path} is a submodule: the files are in another repository, ${displayText(url, 200)}.`,
    action: `Install from that repository${inside}.`,
  });
}
