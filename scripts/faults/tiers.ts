import { areaOf, kindOf, type TestKind, testFiles } from '../suites/areas.ts';
import { browserSuite, windowSuite } from '../suites/playwright-suite.ts';
import { pythonSuite, quickPython } from '../suites/python-suite.ts';
import { smokeJourneys, smokeLane } from '../suites/smoke-lane.ts';
import { types } from '../suites/static-checks.ts';
import type { Suite } from '../suites/suites.ts';
import { vitestSuite } from '../suites/vitest-suite.ts';

/** Tests that cost about as much as each other. */
export interface Tier {
  readonly name: string;
  readonly suites: readonly Suite[];
}

/** The names of all tiers, the cheapest first. */
export const tierNames: readonly string[] = tiersOf('').map(({ name }) => name);

/** The tests that may find a change in an area, the cheapest first. */
export function tiersOf(area: string): Tier[] {
  const files = testFiles().filter((file) => areaOf(file) === area);
  const ofKind = (kind: TestKind, suiteOf: (files: string[]) => Suite): Suite[] => {
    const chosen = files.filter((file) => kindOf(file) === kind);
    return chosen.length === 0 ? [] : [suiteOf(chosen)];
  };
  const vitest = (project: string) => (chosen: string[]) => vitestSuite(project, [...chosen, '--bail=1']);
  const related = ['--changed', '--passWithNoTests', '--bail=1'];
  return [
    { name: 'related unit tests', suites: [vitestSuite('unit', related), vitestSuite('renderer', related)] },
    { name: 'types', suites: [types] },
    {
      name: 'in process',
      suites: [...ofKind('integration', vitest('integration')), ...ofKind('python', () => quickPython)],
    },
    { name: 'smoke', suites: [...smokeLane([area]), ...(area === 'journeys' ? [smokeJourneys] : [])] },
    {
      name: 'torture',
      suites: [
        ...ofKind('torture', vitest('torture')),
        ...ofKind('python', pythonSuite),
        ...ofKind('browser', browserSuite),
        ...ofKind('window', windowSuite),
      ],
    },
  ];
}
