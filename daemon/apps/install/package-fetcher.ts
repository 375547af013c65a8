import { join } from 'node:path';
import type { AppSource, WantedSource } from '../../contract/app-source.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { SafeFetch } from '../../shared/safe-fetch.ts';
import { copyPackage, packageFolder } from './folder-source.ts';
import type { FetchStep, FoundPackage } from './found-package.ts';
import { fromRepository } from './git-source.ts';
import { fromSpace } from './space-source.ts';

export interface FetchDeps {
  readonly hub: HubClient;
  readonly safeFetch: SafeFetch;
  readonly samplesDir: string;
}

/**
 * Looks for a package where it is said to be.
 * @throws JobFailed, HubTrouble, AddressRefused, CommandFailed, or the reason of a cancel
 */
export async function findPackage(wanted: WantedSource, deps: FetchDeps, step: FetchStep): Promise<FoundPackage> {
  switch (wanted.kind) {
    case 'folder': {
      const path = await packageFolder(wanted.path);
      return fromFolder({ kind: 'folder', path }, path, step);
    }
    case 'sample':
      return fromFolder(wanted, await packageFolder(join(deps.samplesDir, wanted.sample)), step);
    case 'git':
      return fromRepository(wanted, deps.safeFetch, step);
    case 'space':
      return fromSpace(wanted, deps.hub, step);
  }
}

function fromFolder(source: AppSource, folder: string, { progress }: FetchStep): FoundPackage {
  return {
    source,
    files: null,
    sizeBytes: null,
    fetch: async (to) => {
      progress.log(`${await copyPackage(folder, to, progress.signal)} files copied from ${folder}`);
      return source;
    },
  };
}
