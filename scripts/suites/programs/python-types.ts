import { join } from 'node:path';
import { projectDir } from '../../environment/project.ts';
import type { SuiteResult } from '../suite-result.ts';
import { programSuite, type RunProgram, type Suite } from '../suites.ts';

const sdk = 'assets/python-sdk';

/** The oldest and the newest Python of apps: type checkers know which names and syntax a version has. */
const versions = ['3.10', '3.14'];

/** Checks the types of the SDK and of the templates of apps, without any package of the package index. */
export const pythonTypes: readonly Suite[] = [
  ...versions.map((version) =>
    programSuite(`types, Python ${version}`, 'pyright', ['--project', sdk, '--pythonversion', version]),
  ),
  programSuite('types of the templates', 'pyright', ['--project', 'assets/app-templates']),
];

/**
 * Checks that all public names of the SDK have types for type checkers of apps, and with mypy the SDK and its tests beside
 * the packages that they use.
 * @param python an interpreter with mypy and those packages
 */
export async function checkTypesBesidePackages(run: RunProgram, python: string): Promise<SuiteResult> {
  const config = ['--config-file', `${sdk}/pyproject.toml`, '--cache-dir', 'node_modules/.cache/mypy'];
  const exits = await Promise.all([
    run('pyright', ['--verifytypes', 'robot', '--ignoreexternal', '--pythonpath', python], {
      PYTHONPATH: join(projectDir, sdk),
    }),
    run(python, ['-B', '-m', 'mypy', ...config, `${sdk}/robot`, `${sdk}/tests`]),
  ]);
  const names = ['the public types, by pyright', 'the types, by mypy'];
  const failures = names.filter((_, index) => exits[index] !== 0);
  return { passed: exits.length - failures.length, failed: failures.length, skipped: 0, failures };
}
