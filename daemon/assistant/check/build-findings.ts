import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnFiles } from '../../app-package/author/own-files.ts';
import { moduleFile } from '../../app-package/package-files.ts';
import { atKey, inFile, type PackageFinding, problem, warning } from '../../app-package/package-finding.ts';
import { parseRequirement } from '../../app-package/requirement.ts';
import { installFailure } from '../../apps/install/install-failure.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';

export const inPyproject = (finding: PackageFinding) => inFile(finding, 'pyproject.toml');

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
  const tops = new Set(installed.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''));
  const stray = [...tops].filter((top) => /^(?:tests?|docs|examples|specs|tools|config|docker|scripts)$/.test(top));
  const findings: PackageFinding[] = [];
  if (missing !== undefined) {
    findings.push(warning('not-installed', `${displayText(missing, 120)} is not installed with the app.`));
  }
  if (stray.length > 0) {
    findings.push(warning('also-installed', `The install also has ${stray.join(', ')} as packages.`));
  }
  return findings.map(inPyproject);
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

/** The package that does not exist, in the output of uv and pip. */
const MISSING =
  /Because (?:there (?:is|are) no versions? of )?([\w.-]+)\S* (?:was|were) not found|no versions? of ([\w.-]+)|distribution found for ([\w.-]+)/i;

/**
 * The failure of a build as a finding: about the app, or about this machine, which then could not check it.
 * @param dependencies those of the app
 * @throws other errors, as they are
 */
export function buildFailure(error: unknown, work: string, dependencies: readonly string[]): PackageFinding {
  if (error instanceof StorageError) return warning('not-built', error.message, error.action);
  const failed = installFailure(error, work);
  if (!(failed instanceof JobFailed)) throw failed;
  const { reason, message, action, evidence } = failed.failure;
  switch (reason) {
    case 'dependency-conflict':
      return conflict(message, evidence, dependencies);
    case 'build':
      return inPyproject(problem('build-failed', `${message} ${lastWords(evidence)}`.trim()));
    case 'not-an-app':
      return problem('build-failed', message, action);
    default:
      return warning('not-built', message, action.replace(/install (?:the app |it )?again/i, 'check again'));
  }
}

/** At the requirement that cannot be met, if the installer names it. */
function conflict(message: string, evidence: readonly string[], dependencies: readonly string[]): PackageFinding {
  const reason = (evidence.find((line) => /because|not found|no matching/i.test(line)) ?? evidence[0] ?? '')
    .replace(/^(?:[^A-Za-z]|cause:|error:)*/i, '')
    .trim();
  const missing = MISSING.exec(reason)?.slice(1).find(Boolean);
  const named = missing === undefined ? undefined : parseRequirement(missing)?.name;
  const index = dependencies.findIndex((each) => parseRequirement(each)?.name === named);
  const text = `${message}${reason && ` ${displayText(reason, 300)}`}`;
  if (named === undefined || index < 0) {
    return atKey(problem('dependency-conflict', text), 'project', 'dependencies');
  }
  const meant = closestName(named, ['robot-sdk']);
  const action = meant === null ? `Correct ${named}, or remove it.` : `Did you mean ${meant}?`;
  return atKey(problem('dependency-conflict', text, action), 'project', 'dependencies', index);
}

/** The line that most likely says why. */
function lastWords(lines: readonly string[]): string {
  const reason = lines.findLast((line) => /error|refused|invalid|not found|failed/i.test(line)) ?? lines.at(-1) ?? '';
  return displayText(reason, 300);
}
