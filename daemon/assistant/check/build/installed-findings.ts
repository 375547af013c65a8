import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnFiles } from '../../../app-package/author/own-files.ts';
import { moduleFile } from '../../../app-package/package-files.ts';
import { inFile, type PackageFinding, warning } from '../../../app-package/package-finding.ts';
import type { AppManifest } from '../../../contract/apps/apps.ts';
import { displayText } from '../../../shared/display-text.ts';

/** Compares the installed files with those of the author's folder. */
export function installedFindings(
  manifest: AppManifest,
  installed: readonly string[],
  files: Pick<OwnFiles, 'paths'>,
): PackageFinding[] {
  const [appPackage = ''] = manifest.module.split('.');
  const place = moduleFile(files, manifest.module);
  if (!place) return [];
  const root = place.packageFolder.slice(0, -`${appPackage}/`.length);
  const there = new Set(installed);
  const missing = files.paths.find(
    (path) => path.startsWith(`${place.packageFolder}static/`) && !there.has(path.slice(root.length)),
  );
  const stray = [...new Set(installed.map((path) => path.split('/')))].flatMap(([top = '', ...rest]) =>
    rest.length > 0 && /^(?:tests?|docs|examples|specs|tools|config|docker|scripts)$/.test(top) ? [top] : [],
  );
  return [
    ...(missing === undefined
      ? []
      : [
          inFile(
            warning('not-installed', `${displayText(missing, 120)} is not installed with the app.`),
            'pyproject.toml',
          ),
        ]),
    ...(stray.length === 0
      ? []
      : [
          inFile(
            warning('also-installed', `The install also has ${[...new Set(stray)].join(', ')} as packages.`),
            'pyproject.toml',
          ),
        ]),
  ];
}

/**
 * The files that an uninstall left of a package, other than those that Python compiled.
 * @param installed the files that the package had
 * @param packagesDir the folder of packages of the environment
 */
export async function leftFiles(installed: readonly string[], packagesDir: string): Promise<string[]> {
  const tops = new Set(installed.filter((path) => !path.startsWith('../')).map((path) => path.split('/')[0] ?? ''));
  const left: string[] = [];
  for (const top of tops) {
    const entries = await readdir(join(packagesDir, top), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isFile() && !/(?:^|[\\/])__pycache__$/.test(entry.parentPath)) left.push(`${top}/${entry.name}`);
    }
  }
  return left;
}
