import { posix } from 'node:path';
import { findFile } from '../../../app-package/package-files.ts';
import { inFile, type PackageFinding, problem, warning } from '../../../app-package/package-finding.ts';
import { withoutSecrets } from '../../../apps/crash/crash-secrets.ts';
import { ownFile } from '../../../apps/crash/crash-traceback.ts';
import { missingInOutput } from '../../../apps/crash/missing-variables.ts';
import type { AppManifest } from '../../../contract/apps/apps.ts';
import { displayText } from '../../../shared/display-text.ts';
import type { LoadedApp } from './load-app.ts';

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
