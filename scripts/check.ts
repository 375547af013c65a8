/**
 * `npm run check`: checks the tree without starting a program of the product. `npm run check -- --changed` restricts the
 * checks and the tests to those of changes that are not committed, `--changed=main` to those since that commit or branch,
 * and adds the smoke tests of the areas that they touch, without the journeys: `npx playwright test --project=web <journey>`
 * runs one.
 */
import { execa } from 'execa';
import { projectDir } from './environment/project.ts';
import { findRealPrograms } from './environment/real-programs.ts';
import { areaOf } from './suites/areas.ts';
import { smokeLane } from './suites/programs/smoke-lane.ts';
import { staticChecks, staticChecksOf } from './suites/programs/static-checks.ts';
import { vitestSuite } from './suites/programs/vitest-suite.ts';
import { runSuites } from './suites/suites.ts';

const [option, ...others] = process.argv.slice(2);
if ((option !== undefined && !/^--changed(=.+)?$/.test(option)) || others.length > 0) {
  console.error('Usage: npm run check, npm run check -- --changed, or npm run check -- --changed=COMMIT');
  process.exit(2);
}
findRealPrograms();
const since = option?.split('=')[1] ?? 'HEAD';
const changed = option === undefined ? null : await changedFiles(since);
const areas = areasOf(changed ?? []);

const related = option === undefined ? [] : [option, '--passWithNoTests'];
const { failed } = await runSuites([
  ...(changed ? staticChecksOf(changed) : staticChecks),
  [vitestSuite('unit', related), vitestSuite('renderer', related)],
  ...smokeLane(areas),
]);
if (areas.length > 0) console.log(`The long run of what has changed: npm run torture -- ${areas.join(' ')}`);
if (failed > 0) process.exitCode = 1;

/** @returns the paths of the files that differ from a commit, and of those that Git does not know yet */
async function changedFiles(commit: string): Promise<string[]> {
  const found = await Promise.all([
    git('diff', '--name-only', '-z', commit, '--'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return found.flat();
}

function areasOf(files: readonly string[]): string[] {
  const found = files.map(areaOf).filter((area) => area !== undefined);
  return [...new Set(found)].sort();
}

async function git(...args: string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await execa('git', args, { cwd: projectDir, reject: false, timeout: 60_000 });
  if (exitCode !== 0) {
    console.error(`Git cannot list what has changed: ${stderr}`);
    process.exit(2);
  }
  return stdout.split('\0').filter((path) => path !== '');
}
