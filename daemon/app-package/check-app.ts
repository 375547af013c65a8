import type { AppManifest } from '../contract/apps/apps.ts';
import { dependencyFindings } from './dependency-findings.ts';
import { layoutFindings } from './layout-findings.ts';
import { readManifest } from './manifest.ts';
import type { PackageFiles } from './package-files.ts';
import { type PackageFinding, problem, warning } from './package-finding.ts';
import { type PythonChoice, pythonFinding } from './python-finding.ts';
import { isBareSdk, sdkFinding, sdkRequirement } from './sdk-requirement.ts';
import { wrongFolderFinding } from './wrong-folder.ts';

export interface AppCheck {
  /** null when there is a problem. */
  readonly manifest: AppManifest | null;
  readonly findings: readonly PackageFinding[];
}

/** The Pythons and the SDK for the app. */
export interface AppHost {
  /** Chooses the Python for an app with this `requires-python`. */
  readonly choosePython: (requiresPython: string | null) => Promise<PythonChoice>;
  /** The version of the shipped SDK, `1.0.0`. */
  readonly sdkVersion: string;
}

const noAppCodes: ReadonlySet<string> = new Set(['no-pyproject', 'no-project', 'no-entry-point']);

/** Checks that a package is an app that can be started, without running any of it. */
export async function checkApp(files: PackageFiles, host: AppHost): Promise<AppCheck> {
  const read = readManifest(files.pyproject, files.readme);
  if (!read.manifest) {
    const finding = read.problems.some(({ code }) => noAppCodes.has(code)) ? await wrongFolderFinding(files) : null;
    return { manifest: null, findings: finding ? [finding] : read.problems };
  }
  const { manifest, pyproject } = read;
  const module = await moduleFindings(manifest, files);
  const python = await host.choosePython(manifest.requiresPython);
  const findings = [
    ...shadowFindings(manifest, (python.chosen ?? python.preferred).standardModules),
    pythonFinding(manifest.name, manifest.requiresPython, python),
    sdkFinding(sdkRequirement(manifest.dependencies), host.sdkVersion),
    ...dependencyFindings(pyproject),
    ...module.findings,
    ...(await layoutFindings(files, pyproject, module.packageFolder)),
    ...read.warnings,
  ].filter((finding) => finding !== null);
  const refused = findings.some((finding) => finding.severity === 'problem');
  return { manifest: refused ? null : manifest, findings };
}

function shadowFindings({ module, distribution }: AppManifest, standardModules: ReadonlySet<string>): PackageFinding[] {
  const [top = ''] = module.split('.');
  if (top === 'robot') {
    return [
      problem('shadows-sdk', 'Its package is named robot, like the SDK: it could not be started. Rename the package.'),
    ];
  }
  if (isBareSdk(distribution)) {
    return [problem('shadows-sdk', `Its project is named ${distribution}, like the SDK. Rename the project.`)];
  }
  if (standardModules.has(top)) {
    return [
      problem(
        'shadows-standard-library',
        `Its package is named ${top}, like a module of Python's own: it could not be started. Rename the package.`,
      ),
    ];
  }
  return [];
}

async function moduleFindings(
  { module, className }: AppManifest,
  files: PackageFiles,
): Promise<{ findings: PackageFinding[]; packageFolder: string }> {
  const stem = module.replaceAll('.', '/');
  const top = `${module.split('.')[0]}/`;
  // `python -m` on a package runs its __main__.py.
  const path = find(files, [`${stem}.py`, `${stem}/__main__.py`]);
  if (path === undefined) {
    const isPackage = find(files, [`${stem}/__init__.py`]) !== undefined;
    const message = isPackage
      ? `The entry point names the package ${module}, which has no __main__.py, so it cannot be started.`
      : `The entry point names the module ${module}, but the package has no ${stem}.py.`;
    return { findings: [problem('no-module', message)], packageFolder: top };
  }
  const source = (await files.read(path)) ?? '';
  const findings: PackageFinding[] = [];
  if (!source.includes('__main__') && !path.endsWith('__main__.py')) {
    findings.push(
      problem('no-main-block', `${path} has no \`if __name__ == "__main__":\` block, so starting it would do nothing.`),
    );
  }
  if (!module.endsWith('.main')) {
    findings.push(
      warning('unusual-module', `The entry point names ${module}:${className}; <package>.main:<ClassName> is usual.`),
    );
  }
  const root = path.slice(0, path.lastIndexOf(path.endsWith('/__main__.py') ? `${stem}/` : `${stem}.py`));
  return { findings, packageFolder: `${root}${top}` };
}

/** The shortest path with one of these ends, since packages may be at the top, under src/, or in another folder. */
function find({ paths }: PackageFiles, ends: readonly string[]): string | undefined {
  return paths
    .filter((path) => ends.some((end) => path === end || path.endsWith(`/${end}`)))
    .sort((a, b) => a.length - b.length)[0];
}
