import { programSuite, type Suite } from './suites.ts';

const sources = ['daemon', 'electron', 'renderer', 'scripts', 'bench', 'e2e'];

/** What is checked without running the product: types, style, import rules, the OpenAPI document. */
export const staticChecks: readonly Suite[] = [
  programSuite('types', 'tsc', ['--build']),
  programSuite('style', 'biome', ['check', '--error-on-warnings', '.']),
  programSuite('promises and imports', 'oxlint', ['--type-aware', ...sources]),
  programSuite('OpenAPI document', 'node', ['scripts/openapi.ts', '--check']),
];
