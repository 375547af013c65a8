import { displayText } from '../shared/display-text.ts';
import type { PackageFiles } from './package-files.ts';
import { type PackageFinding, problem, warning } from './package-finding.ts';
import type { Pyproject } from './pyproject.ts';

/** Folders beside a package that should not be installed. */
const NOT_PACKAGES = /^(?:tests?|docs?|examples?|specs?|scripts?|tools?|config|docker|benchmarks?|notebooks?)$/i;

/**
 * Finds files that will be missing after the install, and folders that will be installed by mistake.
 * @param packageFolder the package that holds the app, with a slash at its end, `src/hello_wave/`
 */
export async function layoutFindings(
  files: PackageFiles,
  pyproject: Pyproject,
  packageFolder: string,
): Promise<PackageFinding[]> {
  return [
    ...(await files.largeFilePointers()).slice(0, 3).map((path) => pointerFinding(path, packageFolder)),
    ...(files.paths.includes('.gitmodules')
      ? [warning('submodules', 'It has git submodules, whose content is not installed.', { file: '.gitmodules' })]
      : []),
    ...(usesSetuptools(pyproject) ? setuptoolsFindings(files, pyproject, packageFolder) : []),
  ];
}

function pointerFinding(path: string, packageFolder: string): PackageFinding {
  const message = `${displayText(path, 120)} only points to a large file: its content was not downloaded.`;
  return (path.startsWith(packageFolder) ? problem : warning)('large-file-pointer', message, { file: path });
}

/** setuptools is the default of installers. */
export function usesSetuptools({ 'build-system': build }: Pyproject): boolean {
  return (build?.['build-backend'] ?? 'setuptools').startsWith('setuptools');
}

function setuptoolsFindings(files: PackageFiles, pyproject: Pyproject, packageFolder: string): PackageFinding[] {
  const findings: PackageFinding[] = [];
  const stray = strayPackages(files, pyproject);
  if (stray.length > 0) {
    const message = `It also installs ${stray.join(', ')} as packages: "find" in [tool.setuptools.packages] has no "include".`;
    findings.push(warning('stray-packages', message, { key: ['tool', 'setuptools', 'packages', 'find'] }));
  }
  const page = missingPage(files, pyproject, packageFolder);
  if (page !== null) {
    const message = `${displayText(page, 120)} is not installed with it: "package-data" in [tool.setuptools] does not list it.`;
    findings.push(warning('static-not-packaged', message, { key: ['tool', 'setuptools', 'package-data'] }));
  }
  return findings;
}

function strayPackages({ paths }: PackageFiles, { tool }: Pyproject): string[] {
  const find = tool?.setuptools?.packages?.find;
  if (!find || find.include || !(find.where ?? ['.']).includes('.')) return [];
  const folders = paths.filter((path) => path.endsWith('.py')).map((path) => path.split('/')[0] ?? '');
  const excluded = (name: string) => find.exclude?.some((pattern) => covers(pattern, name)) ?? false;
  return [...new Set(folders)].filter((name) => NOT_PACKAGES.test(name) && !excluded(name));
}

function covers(pattern: string, name: string): boolean {
  const [stem = ''] = pattern.split(/[.*]/, 1);
  return pattern.endsWith('*') ? name.startsWith(stem) : name === pattern;
}

/** A page of the app's `static` folder that the wheel will not contain, or null. */
function missingPage(
  { paths }: PackageFiles,
  { tool, 'build-system': build }: Pyproject,
  folder: string,
): string | null {
  const byVersionControl = build?.requires?.some((requirement) => /^setuptools[-_.]scm\b/i.test(requirement));
  if (paths.includes('MANIFEST.in') || byVersionControl) return null;
  const pages = paths.filter((path) => path.startsWith(`${folder}static/`) && path.endsWith('.html'));
  const patterns = Object.values(tool?.setuptools?.['package-data'] ?? {}).flat();
  return pages.find((page) => !patterns.some((pattern) => lists(pattern, page))) ?? null;
}

/** Compares only the last part and the first folder, so that no foreign pattern is executed. */
function lists(pattern: string, page: string): boolean {
  const [file = '', ...folders] = pattern.split('/').reverse();
  const from = folders.at(-1) ?? '';
  return ['*', '**', '*.*', '*.html', page.split('/').at(-1)].includes(file) && ['', '**', 'static'].includes(from);
}
