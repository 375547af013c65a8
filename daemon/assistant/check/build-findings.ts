import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { OwnFiles } from '../../app-package/author/own-files.ts';
import { findFile, moduleFile } from '../../app-package/module-file.ts';
import {
  atKey,
  inFile,
  type KeyedFinding,
  type PackageFinding,
  problem,
  warning,
} from '../../app-package/package-finding.ts';
import { parseRequirement } from '../../app-package/requirement.ts';
import { ownFile } from '../../apps/crash/crash-own-code.ts';
import { withoutSecrets } from '../../apps/crash/crash-secrets.ts';
import { missingInOutput } from '../../apps/crash/missing-variables.ts';
import { installFailure } from '../../apps/install/install-failure.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import type { LoadedApp } from './build-for-check.ts';

/** The findings when an app is loaded. @param paths the files of the author's folder */
export function loadFindings(manifest: AppManifest, loaded: LoadedApp, paths: readonly string[]): PackageFinding[] {
  const { name, module, className } = manifest;
  const at = (finding: PackageFinding) => [inFile(finding, 'pyproject.toml')];
  const { entryPoints, error, ended } = loaded;
  if (
    !entryPoints.some((entry) => entry.name === name && entry.value.replaceAll(/\s/g, '') === `${module}:${className}`)
  ) {
    return at(
      problem(
        'entry-point-lost',
        `The installed package does not declare the app ${displayText(name, 60)} as pyproject.toml does.`,
      ),
    );
  }
  if (loaded.problem !== null) {
    const id = loaded.problem.includes(' does not define ') ? 'no-run' : 'not-robot-app';
    return at(problem(id, `${displayText(loaded.problem, 200)}.`));
  }
  if (ended) {
    const message = ended.timedOut
      ? `Importing ${module} took longer than two minutes. The app may do its work at import instead of in run().`
      : `Importing ${module} ended the process: ${displayText(ended.message, 120)}.`;
    return at(problem('import-error', message));
  }
  return error ? [errorFinding(manifest, error, loaded.lines, paths)] : [];
}

function errorFinding(
  { module }: AppManifest,
  error: NonNullable<LoadedApp['error']>,
  lines: readonly string[],
  paths: readonly string[],
): PackageFinding {
  const place = placeOf(error.frames, module.split('.')[0] ?? '', paths);
  const missing = missingInOutput(lines);
  const finding = missing
    ? warning('needs-variable', `${module} cannot be imported without the variable ${missing.names.join(', ')}.`)
    : /^(?:AttributeError: module \S+ has no attribute|AttributeError: .* has no attribute)/.test(error.message) &&
        isLookup(error)
      ? problem('no-class', `${displayText(error.message, 200)}: the entry point names it.`)
      : problem(
          'import-error',
          `The app cannot be imported: ${displayText(withoutSecrets(inPackage(error.message)), 300)}.`,
        );
  return place ? inFile(finding, place.file, place.line) : inFile(finding, 'pyproject.toml');
}

/** The message with files named from the package instead of from the environment, which is deleted afterwards. */
function inPackage(message: string): string {
  return message.replaceAll(/[^\s'"()]*[\\/]site-packages[\\/]/g, '');
}

/** Whether the error came from looking up the class in the imported module, not from the module's code. */
function isLookup({ frames }: NonNullable<LoadedApp['error']>): boolean {
  return /importlib[\\/]metadata/.test(frames.at(-1)?.file ?? '');
}

/** The innermost line of the author's own code. */
function placeOf(
  frames: readonly { file: string; line: number | null }[],
  appPackage: string,
  paths: readonly string[],
): { file: string; line: number | null } | null {
  for (const { file, line } of frames.toReversed()) {
    const inside = ownFile(file, appPackage);
    const own = inside === null ? undefined : findFile({ paths }, [posix.normalize(inside)]);
    if (own !== undefined) return { file: own, line };
  }
  return null;
}

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

/** How uv and pip name a package that does not exist. */
const MISSING =
  /Because (?:there (?:is|are) no versions? of )?([\w.-]+)\S* (?:was|were) not found|no versions? of ([\w.-]+)|distribution found for ([\w.-]+)/i;

/**
 * The failure of a build as a finding: about the app, or about this machine, which then could not check it.
 * @param dependencies those of the app
 * @throws other errors, as they are
 */
export function buildFailure(error: unknown, work: string, dependencies: readonly string[]): KeyedFinding {
  if (error instanceof StorageError) return warning('not-built', error.message, error.action);
  const failed = installFailure(error, work);
  if (!(failed instanceof JobFailed)) throw failed;
  const { reason, message, action, evidence } = failed.failure;
  switch (reason) {
    case 'dependency-conflict':
      return conflict(message, evidence, dependencies);
    case 'build':
      return inFile(problem('build-failed', `${message} ${lastWords(evidence)}`.trim()), 'pyproject.toml');
    case 'not-an-app':
      return problem('build-failed', message, action);
    default:
      return warning('not-built', message, action.replace(/install (?:the app |it )?again/i, 'check again'));
  }
}

/** At the requirement that cannot be met, if the installer names it. */
function conflict(message: string, evidence: readonly string[], dependencies: readonly string[]): KeyedFinding {
  const said = (evidence.find((line) => /because|not found|no matching/i.test(line)) ?? evidence[0] ?? '')
    .replace(/^(?:[^A-Za-z]|cause:|error:)*/i, '')
    .trim();
  const missing = MISSING.exec(said)?.slice(1).find(Boolean);
  const named = missing === undefined ? undefined : parseRequirement(missing)?.name;
  const index = dependencies.findIndex((each) => parseRequirement(each)?.name === named);
  const text = `${message}${said && ` ${displayText(said, 300)}`}`;
  if (named === undefined || index < 0) {
    return atKey(problem('dependency-conflict', text), 'project', 'dependencies');
  }
  const meant = closestName(named, ['robot-sdk']);
  const action = meant === null ? `Correct ${named}, or remove it.` : `Did you mean ${meant}?`;
  return atKey(problem('dependency-conflict', text, action), 'project', 'dependencies', index);
}

/** The line that most likely says why. */
function lastWords(lines: readonly string[]): string {
  const said = lines.findLast((line) => /error|refused|invalid|not found|failed/i.test(line)) ?? lines.at(-1) ?? '';
  return displayText(said, 300);
}
