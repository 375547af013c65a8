import { pythonTypes } from './python-types.ts';
import { programSuite, type Suite } from './suites.ts';

const sources = ['daemon', 'electron', 'renderer', 'scripts', 'bench', 'e2e'];

export const types = programSuite('types', 'tsc', ['--build']);
/** On one core, since tsc uses the other: on two, it would infer most types twice. */
const imports = programSuite('promises and imports', 'oxlint', ['--type-aware', ...sources], { GOMAXPROCS: '1' });

/** Checks that run no code except the contract's: types, import rules, style, the OpenAPI document, the SDK's types. */
export const staticChecks: readonly (readonly Suite[])[] = [
  [types, imports],
  [
    programSuite('style', 'biome', ['check', '--error-on-warnings', '.']),
    programSuite('OpenAPI document', 'node', ['scripts/openapi.ts', '--check']),
  ],
  pythonTypes,
];
