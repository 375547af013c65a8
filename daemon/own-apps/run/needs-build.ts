import { isDeepStrictEqual } from 'node:util';
import { identityOf } from '../../contract/apps/app-source.ts';
import type { AppManifest, InstalledApp } from '../../contract/apps/apps.ts';

/** Whether an app's environment has to be built before it can run from its folder, since its declarations differ. */
export function needsBuild(installed: InstalledApp | null, wanted: AppManifest, folder: string): boolean {
  if (!installed || identityOf(installed.source) !== identityOf({ kind: 'folder', path: folder })) return true;
  return !isDeepStrictEqual(declarationsOf(installed), declarationsOf(wanted));
}

/** The title, the description and the version are read from the folder at each start. */
function declarationsOf(app: AppManifest | InstalledApp) {
  const { name, distribution, module, className, requiresPython, dependencies, baseline, needs } = app;
  const declared = needs.map((need) => ({ ...need, endpoint: undefined }));
  return { name, distribution, module, className, requiresPython, dependencies, baseline, needs: declared };
}
