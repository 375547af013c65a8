import { posix } from 'node:path';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { withLines } from '../check-app.ts';
import { moduleFile } from '../package-files.ts';
import { inFile, type PackageFinding, warning } from '../package-finding.ts';
import { parsePyproject } from '../pyproject.ts';
import { type CodeCheck, codeFindings } from './code-findings.ts';
import { frontMatterFindings, projectFindings } from './declaration-findings.ts';
import { fileFindings, pageFindings, referenceFindings } from './file-findings.ts';
import type { OwnFiles } from './own-files.ts';
import { secretFindings } from './secrets.ts';

/**
 * The findings for an app's author beyond those of an install: the layout that the specification asks for, the code, and
 * what would be published.
 * @param manifest null when its declarations are refused
 * @param code null when the code could not be read
 */
export async function authorFindings(
  files: OwnFiles,
  manifest: AppManifest | null,
  code: CodeCheck | null,
): Promise<PackageFinding[]> {
  const pyproject = files.pyproject === null ? null : parsePyproject(files.pyproject);
  if (!pyproject || 'code' in pyproject) return [...(await secretFindings(files))];
  const found = [
    ...fileFindings(files),
    ...projectFindings(pyproject, manifest),
    ...frontMatterFindings(files),
    ...(manifest ? initFindings(files, manifest) : []),
    ...(manifest && code ? await codeFindings(manifest, code, files) : []),
    ...pageFindings(code?.facts ?? null, files),
    ...(await referenceFindings(files)),
    ...(await secretFindings(files)),
  ];
  return withLines(found, files.pyproject);
}

/** The folders from the package to the module should be packages. */
function initFindings(files: OwnFiles, { module }: AppManifest): PackageFinding[] {
  const place = moduleFile(files, module);
  if (!place?.path.startsWith(place.packageFolder)) return [];
  const folders: string[] = [];
  for (
    let folder = posix.dirname(place.path);
    `${folder}/`.startsWith(place.packageFolder);
    folder = posix.dirname(folder)
  ) {
    folders.push(folder);
  }
  return folders
    .filter((folder) => !files.paths.includes(`${folder}/__init__.py`))
    .map((folder) => inFile(warning('no-init', `There is no ${folder}/__init__.py.`), `${folder}/__init__.py`));
}
