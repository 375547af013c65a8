/**
 * Measures the power of the tests by faults. `npm run faults -- choose FOLDER --seed 30 --count 80` writes faults of
 * production code there, as patches; patches of one's own may be added. `npm run faults -- try FOLDER` plants each for as
 * long as tests run that may find it, and appends what found it to results.jsonl there; it goes on where an earlier run
 * ended. `--up-to "in process"` leaves out the more expensive tests.
 */
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { projectDir } from './environment/project.ts';
import { findRealPrograms } from './environment/real-programs.ts';
import { chooseFaults } from './faults/chosen-faults.ts';
import { type TrialResult, tryFault } from './faults/fault-trial.ts';
import { interruption } from './faults/interruption.ts';
import { tierNames } from './faults/tiers.ts';

const { action, folder, seed, count, last } = readArguments();
findRealPrograms();
const interrupted = interruption();
if (await hasChanges())
  fail(
    'There are changes that are not committed. Commit them, or undo them: a fault is taken out as a difference to the last commit.',
  );
if (action === 'try') await tryAll();
else {
  mkdirSync(folder, { recursive: true });
  for (const { name, patch } of await chooseFaults(seed, count, interrupted))
    writeFileSync(join(folder, `${name}.patch`), patch);
}

async function hasChanges(): Promise<boolean> {
  const { stdout } = await execa('git', ['status', '--porcelain', '--untracked-files=no'], { cwd: projectDir });
  return stdout !== '';
}

async function tryAll(): Promise<void> {
  const patches = globSync(join(folder, '*.patch')).sort();
  if (patches.length === 0) fail(`There is no patch in ${folder}.`);
  const file = join(folder, 'results.jsonl');
  const earlier = existsSync(file) ? results(file).map(({ fault }) => fault) : [];
  for (const patch of patches) {
    const fault = basename(patch, '.patch');
    if (earlier.includes(fault)) continue;
    const result = await tryFault(fault, patch, last, interrupted);
    appendFileSync(file, `${JSON.stringify(result)}\n`);
    console.log(
      `${fault}: ${result.foundBy ?? 'not found'} (${result.seconds} s) ${result.evidence.split('\n', 1)[0]}`,
    );
  }
  const counts = Object.entries(Object.groupBy(results(file), ({ foundBy }) => foundBy ?? 'not found'));
  for (const [tier, found] of counts) console.log(`${tier.padEnd(20)} ${found?.length}`);
}

function results(file: string): TrialResult[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as TrialResult);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '80' },
      'up-to': { type: 'string', default: 'torture' },
    },
  });
  const [action, folder] = positionals;
  if ((action !== 'choose' && action !== 'try') || folder === undefined || positionals.length > 2) {
    return fail('Usage: npm run faults -- choose FOLDER [--seed N] [--count N], or try FOLDER [--up-to TIER]');
  }
  if (![values.seed, values.count].every((number) => /^\d{1,6}$/.test(number)))
    return fail('--seed and --count take a number.');
  const last = values['up-to'];
  if (!tierNames.includes(last)) return fail(`There is no tier ${last}. The tiers are ${tierNames.join(', ')}.`);
  return { action, folder, seed: Number(values.seed), count: Number(values.count), last };
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
