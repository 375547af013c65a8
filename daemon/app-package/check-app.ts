import type { AppManifest } from '../contract/apps/apps.ts';
import { dependencyFindings } from './dependency-findings.ts';
import { layoutFindings } from './layout-findings.ts';
import { ENTRY_POINT_GROUP, readManifest } from './manifest.ts';
import { findFile, moduleFile, noMainBlock, type PackageFiles } from './package-files.ts';
import { type PackageFinding, problem, warning } from './package-finding.ts';
import { type HostPython, type PythonChoice, pythonFinding } from './python-finding.ts';
import { isBareSdk, sdkFinding } from './requirement.ts';
import { tomlLines } from './toml-lines.ts';
import { wrongFolderFinding } from './wrong-folder.ts';

export interface AppCheck<P extends HostPython = HostPython> {
  /** null when there is a problem. */
  readonly manifest: AppManifest | null;
  /** The Python for it; null when its declarations are refused. */
  readonly python: P | null;
  readonly findings: readonly PackageFinding[];
}

/** The Pythons and the SDK for the app. */
export interface AppHost<P extends HostPython = HostPython> {
  /** Chooses the Python for an app with this `requires-python`. */
  readonly choosePython: (requiresPython: string | null) => Promise<PythonChoice<P>>;
  /** The version of the shipped SDK, `1.0.0`. */
  readonly sdkVersion: string;
}

const noAppCodes: ReadonlySet<string> = new Set(['no-pyproject', 'no-project', 'no-entry-point']);

/** Checks that a package is an app that can be started, without running any of it. */
export async function checkApp<P extends HostPython>(files: PackageFiles, host: AppHost<P>): Promise<AppCheck<P>> {
  const read = readManifest(files.pyproject, files.readme);
  if (!read.manifest) {
    const finding = read.problems.some(({ code }) => noAppCodes.has(code)) ? await wrongFolderFinding(files) : null;
    return { manifest: null, python: null, findings: withLines(finding ? [finding] : read.problems, files.pyproject) };
  }
  const { manifest, pyproject } = read;
  const module = await moduleFindings(manifest, files);
  const choice = await host.choosePython(manifest.requiresPython);
  const python = choice.chosen ?? choice.preferred;
  const findings = [
    shadowFinding(manifest, python.standardModules),
    pythonFinding(manifest.name, manifest.requiresPython, choice),
    sdkFinding(manifest.dependencies, host.sdkVersion),
    ...dependencyFindings(pyproject),
    ...module.findings,
    ...(await layoutFindings(files, pyproject, module.packageFolder)),
    ...read.warnings,
  ].filter((finding) => finding !== null);
  const refused = findings.some((finding) => finding.severity === 'problem');
  return { manifest: refused ? null : manifest, python, findings: withLines(findings, files.pyproject) };
}

/** Replaces the keys of pyproject.toml in findings by their lines. */
export function withLines(findings: readonly PackageFinding[], pyproject: string | null): PackageFinding[] {
  let lineOf: ReturnType<typeof tomlLines> | null = null;
  return findings.map(({ key, ...finding }) => {
    if (key === undefined) return finding;
    lineOf ??= tomlLines(pyproject ?? '');
    const line = lineOf(key);
    return line === null ? finding : { ...finding, line };
  });
}

function shadowFinding(
  { name, module, distribution }: AppManifest,
  standardModules: ReadonlySet<string>,
): PackageFinding | null {
  const [top = ''] = module.split('.');
  const key = ['project', 'entry-points', ENTRY_POINT_GROUP, name];
  if (top === 'robot') {
    const message = 'Its package is named robot, like the SDK: it could not be started. Rename the package.';
    return problem('shadows-sdk', message, { key });
  }
  if (isBareSdk(distribution)) {
    const message = `Its project is named ${distribution}, like the SDK. Rename the project.`;
    return problem('shadows-sdk', message, { key: ['project', 'name'] });
  }
  if (!standardModules.has(top)) return null;
  const message = `Its package is named ${top}, like a module of Python's own: it could not be started. Rename the package.`;
  return problem('shadows-standard-library', message, { key });
}

async function moduleFindings(
  { name, module, className }: AppManifest,
  files: PackageFiles,
): Promise<{ findings: PackageFinding[]; packageFolder: string }> {
  const key = ['project', 'entry-points', ENTRY_POINT_GROUP, name];
  const place = moduleFile(files, module);
  if (!place) {
    const stem = module.replaceAll('.', '/');
    const message = findFile(files, [`${stem}/__init__.py`])
      ? `The entry point names the package ${module}, which has no __main__.py, so it cannot be started.`
      : `The entry point names the module ${module}, but the package has no ${stem}.py.`;
    return { findings: [problem('no-module', message, { key })], packageFolder: `${module.split('.')[0]}/` };
  }
  const { path, packageFolder } = place;
  const source = (await files.read(path)) ?? '';
  const findings: PackageFinding[] = [];
  if (!source.includes('__main__') && !path.endsWith('__main__.py')) findings.push(noMainBlock(path));
  if (!module.endsWith('.main')) {
    const message = `The entry point names ${module}:${className}; <package>.main:<ClassName> is usual.`;
    findings.push(warning('unusual-module', message, { key }));
  }
  return { findings, packageFolder };
}
