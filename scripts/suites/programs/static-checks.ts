import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../environment/project.ts';
import { programSuite, type Suite } from '../suites.ts';
import { pythonTypes } from './python-types.ts';

const sources = ['daemon', 'electron', 'renderer', 'scripts', 'bench', 'e2e'];

export const types = programSuite('types', 'tsc', ['--build']);

const style: readonly Suite[] = [
  programSuite('style', 'biome', ['check', '--error-on-warnings', '.']),
  programSuite('unused exports', 'knip', ['--include', 'files,exports,types', '--no-progress']),
  programSuite('OpenAPI document', 'node', ['scripts/openapi.ts', '--check']),
];

/** Checks that run no code except the contract's: types, import rules, style, the OpenAPI document, the SDK's types. */
export const staticChecks: readonly (readonly Suite[])[] = [[types, imports(sources)], style, pythonTypes];

/**
 * The same in less time: promises and imports of the changed files alone, and Python's types where Python has changed. A
 * function that now returns a promise may be called in a file that has not changed: `staticChecks` reads that one too.
 * @param changed paths relative to the project, those of deleted files too
 */
export function staticChecksOf(changed: readonly string[]): (readonly Suite[])[] {
  const files = changed.includes('oxlint.config.ts')
    ? sources
    : changed.filter((path) => /\.tsx?$/.test(path) && existsSync(join(projectDir, path)));
  const isPython = (path: string) => path.startsWith('assets/') && /\.(py|toml|json)$/.test(path);
  return [
    files.length > 0 ? [types, imports(files)] : [types],
    style,
    ...(changed.some(isPython) ? [pythonTypes] : []),
  ];
}

/** On one core, since tsc uses the other: on two, it would infer most types twice. */
function imports(files: readonly string[]): Suite {
  return programSuite('promises and imports', 'oxlint', ['--type-aware', ...files], { GOMAXPROCS: '1' });
}
