import { join } from 'node:path';
import { readPackageOutline } from '../../app-package/package-files.ts';
import { declaresNoApp } from '../../app-package/wrong-folder.ts';
import type { AppSource, RequestedSource } from '../../contract/apps/app-source.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { copyPackage, packageFolder } from './folder-source.ts';
import type { FetchStep, FoundPackage } from './found-package.ts';
import { fromRepository } from './git-source.ts';
import { fromSpace } from './space-source.ts';
import { missingSubmodules } from './submodules.ts';

export interface FetchDeps {
  readonly hub: HubClient;
  readonly safeFetch: SafeFetch;
  readonly samplesDir: string;
}

/**
 * Inspects a package at its source.
 * @throws JobFailed, HubError, AddressRefused, CommandFailed, or the reason of a cancel
 */
export async function findPackage(wanted: RequestedSource, deps: FetchDeps, step: FetchStep): Promise<FoundPackage> {
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
