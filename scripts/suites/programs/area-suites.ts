import { type Area, areaOf, kindOf, type TestKind, testFiles } from '../areas.ts';
import type { Suite } from '../suites.ts';
import { browserSuite, windowSuite } from './playwright-suite.ts';
import { pythonSuite } from './python-suite.ts';
import { vitestSuite } from './vitest-suite.ts';

type SuiteOf = (files: string[], env: NodeJS.ProcessEnv, retries: readonly string[]) => Suite;

/** The suites of each kind of tests, in the order of their time. */
const suitesOf: Readonly<Record<TestKind, SuiteOf>> = {
  unit: (files, env) => vitestSuite('unit', files, env),
  renderer: (files, env) => vitestSuite('renderer', files, env),
  integration: (files, env) => vitestSuite('integration', files, env),
  torture: (files, env) => vitestSuite('torture', files, env),
  browser: (files, env, retries) => browserSuite([...retries, ...files], env),
  window: (files, env, retries) => windowSuite([...retries, ...files], env),
  python: (files) => pythonSuite(files),
};

/**
 * All tests of an area, at their full length.
 * @param isRepeated whether several runs tell how often each test fails. Else a journey that fails is repeated once, as in `npm test`.
 */
export function suitesOfArea(name: string, { lengths = {} }: Area, isRepeated: boolean): Suite[] {
  const files = testFiles().filter((file) => areaOf(file) === name);
  // Those alone that this process lacks: more would replace what a suite sets for its programs.
  const env = Object.fromEntries(Object.entries(lengths).filter(([variable]) => !(variable in process.env)));
  const retries = isRepeated ? [] : ['--retries=1'];
  return Object.entries(suitesOf).flatMap(([kind, suiteOf]) => {
    const ofKind = files.filter((file) => kindOf(file) === kind);
    return ofKind.length === 0 ? [] : [suiteOf(ofKind, env, retries)];
  });
}
