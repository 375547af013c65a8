import { areaOf, kindOf, type TestKind, testFiles } from '../suites/areas.ts';
import { browserSuite, windowSuite } from '../suites/programs/playwright-suite.ts';
import { pythonSuite, quickPython } from '../suites/programs/python-suite.ts';
import { smokeJourneys, smokeLane, smokeWindow } from '../suites/programs/smoke-lane.ts';
import { types } from '../suites/programs/static-checks.ts';
import { vitestSuite } from '../suites/programs/vitest-suite.ts';
import type { Suite } from '../suites/suites.ts';

/** Tests that cost about as much as each other. */
export interface Tier {
  readonly name: string;
  readonly suites: readonly Suite[];
}

/** The names of all tiers, the cheapest first. */
export const tierNames: readonly string[] = tiersOf('').map(({ name }) => name);

/** The length of a trial: up to the first failure of a fault, with all failures of a fault, or with all that fail without one. */
export type Trial = 'first failure' | 'all failures' | 'without a fault';

/** The tests that may find a change in an area, the cheapest first. Their tiers and suites are the same for each kind of trial. */
export function tiersOf(area: string, trial: Trial = 'first failure'): Tier[] {
  const files = testFiles().filter((file) => areaOf(file) === area);
  const ofKind = (kind: TestKind, suiteOf: (files: string[]) => Suite): Suite[] => {
    const chosen = files.filter((file) => kindOf(file) === kind);
    return chosen.length === 0 ? [] : [suiteOf(chosen)];
  };
  const bail = trial === 'first failure' ? ['--bail=1'] : [];
  const vitest = (project: string) => (chosen: string[]) => vitestSuite(project, [...chosen, ...bail]);
  const related = trial === 'without a fault' ? [] : ['--changed', '--passWithNoTests', ...bail]; // nothing has changed
  const journeys = area === 'journeys' ? [smokeJourneys, smokeWindow] : [];
  return [
    { name: 'related unit tests', suites: [vitestSuite('unit', related), vitestSuite('renderer', related)] },
    { name: 'types', suites: [types] },
    {
      name: 'in process',
      suites: [...ofKind('integration', vitest('integration')), ...ofKind('python', () => quickPython)],
    },
    { name: 'smoke', suites: [...smokeLane([area]), ...journeys] },
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
