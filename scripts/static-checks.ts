import { programSuite, type Suite } from './suites.ts';

const sources = ['daemon', 'electron', 'renderer', 'scripts', 'bench', 'e2e'];

/** The compiler's further checkers each work out most types anew, and two programs that run side by side have a core each. */
const types = programSuite('types', 'tsc', ['--build', '--checkers', '1']);
const imports = programSuite('promises and imports', 'oxlint', ['--type-aware', ...sources]);

/** Checks that run no code of the product but the contract: types, import rules, style, the OpenAPI document. */
export const staticChecks: readonly (readonly Suite[])[] = [
  [types, imports],
  [
    programSuite('style', 'biome', ['check', '--error-on-warnings', '.']),
    programSuite('OpenAPI document', 'node', ['scripts/openapi.ts', '--check']),
  ],
];
