/**
 * `npm run torture -- <area>…`: all tests of these areas, without one of all areas, at their full length, of which
 * `npm test` takes a seeded sample; takes hours. `TORTURE_SEED` repeats a run, and the variables of `suites/areas.ts` set its
 * length.
 */
import { withRealPython } from './environment/python-path.ts';
import { type Area, areaOf, areas, kindOf, type TestKind, testFiles } from './suites/areas.ts';
import { browserSuite, windowSuite } from './suites/playwright-suite.ts';
import { pythonSuite } from './suites/python-suite.ts';
import { runSuites, type Suite } from './suites/suites.ts';
import { vitestSuite } from './suites/vitest-suite.ts';

/** How the tests of each kind are run, in the order of their time. */
const suitesOf: Readonly<Record<TestKind, (files: string[], env: NodeJS.ProcessEnv) => Suite>> = {
  unit: (files, env) => vitestSuite('unit', files, env),
  renderer: (files, env) => vitestSuite('renderer', files, env),
  integration: (files, env) => vitestSuite('integration', files, env),
  browser: browserSuite,
  window: windowSuite,
  python: () => pythonSuite, // one environment for all of them: it runs whole, and once
};

function suitesOfArea(name: string, { lengths = {} }: Area): Suite[] {
  const files = testFiles().filter((file) => areaOf(file) === name);
  return Object.entries(suitesOf).flatMap(([kind, suiteOf]) => {
    const ofKind = files.filter((file) => kindOf(file) === kind);
    if (ofKind.length === 0) return [];
    const suite = suiteOf(ofKind, { ...lengths, ...process.env });
    return [suite === pythonSuite ? suite : { ...suite, name: `${name}: ${suite.name}` }];
  });
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(areas, name));
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(', ')}. The areas are ${Object.keys(areas).join(', ')}.`);
  process.exit(2);
}

process.env['PATH'] = await withRealPython(process.env['PATH'] ?? '');
const chosen = Object.entries(areas).filter(([name]) => asked.length === 0 || asked.includes(name));
const suites = new Set(chosen.flatMap(([name, area]) => suitesOfArea(name, area)));
const { failed } = await runSuites([...suites]);
if (failed > 0) process.exitCode = 1;
