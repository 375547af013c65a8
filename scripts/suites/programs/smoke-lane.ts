import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../environment/project.ts';
import { areaOf, kindOf, testFiles } from '../areas.ts';
import type { Suite } from '../suites.ts';
import { browserSuite, windowSuite } from './playwright-suite.ts';
import { vitestSuite } from './vitest-suite.ts';

/** One that fails is repeated once and then reported as flaky: a real program may meet a busy machine. */
const repeatOnce = 1;

/**
 * The tests of torture with the tag `smoke`: one real program of each kind, one file at a time, so that no test meets the
 * load of its neighbours.
 * @param areas whose tests run; all without it
 */
export function smokeLane(areas?: readonly string[]): Suite[] {
  const files = testFiles().filter((file) => kindOf(file) === 'torture' && isSmoke(file, areas));
  const args = ['--tags-filter=smoke', '--max-workers=1', `--retry=${repeatOnce}`, ...files];
  return files.length === 0 ? [] : [{ ...vitestSuite('torture', args, { TEST_TAG: 'smoke' }), name: 'smoke' }];
}

const tagged = ['--grep=@smoke', `--retries=${repeatOnce}`];
/** The journeys with the tag `@smoke`, in a browser. */
export const smokeJourneys: Suite = browserSuite(tagged);
/** The same in the window. */
export const smokeWindow: Suite = windowSuite(tagged);

function isSmoke(file: string, areas: readonly string[] | undefined): boolean {
  const isWanted = areas === undefined || areas.includes(areaOf(file) ?? '');
  return isWanted && readFileSync(join(projectDir, file), 'utf8').includes("tags: ['smoke']");
}
