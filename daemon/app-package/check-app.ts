import type { AppManifest } from '../contract/apps.ts';
import { type Finding, problem } from './finding.ts';
import { readManifest } from './manifest.ts';
import type { PackageFiles } from './package-files.ts';

export interface AppCheck {
  /** null when a problem keeps the package from being an app. */
  readonly manifest: AppManifest | null;
  readonly findings: readonly Finding[];
}

/**
 * Checks that a package is an app that could be started, without running any of it.
 * @param standardModules the top-level modules of the Python that will run it
 */
export async function checkApp(files: PackageFiles, standardModules: ReadonlySet<string>): Promise<AppCheck> {
  const read = readManifest(files.pyproject, files.readme);
  if (!read.manifest) return { manifest: null, findings: read.problems };
  const { manifest } = read;
  const findings = [
    ...read.warnings,
    ...nameFindings(manifest, standardModules),
    ...(await moduleFindings(manifest, files)),
  ];
  const refused = findings.some((finding) => finding.severity === 'problem');
  return { manifest: refused ? null : manifest, findings };
}

function nameFindings({ module }: AppManifest, standardModules: ReadonlySet<string>): Finding[] {
  const [top = ''] = module.split('.');
  if (top === 'robot') {
    return [
      problem('shadows-sdk', 'Its package is named robot, like the SDK: it could never be run. Rename the package.'),
    ];
  }
  if (standardModules.has(top)) {
    return [
      problem(
        'shadows-standard-library',
        `Its package is named ${top}, like a module of Python's own: it could never be run. Rename the package.`,
      ),
    ];
  }
  return [];
}

async function moduleFindings({ module, className }: AppManifest, files: PackageFiles): Promise<Finding[]> {
  const stem = module.replaceAll('.', '/');
  // As a package, `python -m` runs its __main__.py.
  const wanted = [`${stem}.py`, `${stem}/__main__.py`];
  // Wherever the build finds its packages: flat, under src/, or elsewhere.
  const path = files.paths.find((candidate) =>
    wanted.some((end) => candidate === end || candidate.endsWith(`/${end}`)),
  );
  if (path === undefined) {
    return [problem('no-module', `The entry point names the module ${module}, but the package has no ${stem}.py.`)];
  }
  const source = (await files.read(path)) ?? '';
  const findings: Finding[] = [];
  if (!source.includes('__main__') && !path.endsWith('__main__.py')) {
    findings.push(
      problem('no-main-block', `${path} has no \`if __name__ == "__main__":\` block, so starting it would do nothing.`),
    );
  }
  if (!module.endsWith('.main')) {
    findings.push({
      severity: 'warning',
      code: 'unusual-module',
      message: `The entry point names ${module}:${className}; <package>.main:<ClassName> is usual.`,
    });
  }
  return findings;
}
