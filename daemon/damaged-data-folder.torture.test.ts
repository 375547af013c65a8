/**
 * Each file and folder of a used data folder is empty, cut short, nonsense, of the other kind or unreadable: the daemon
 * starts, or says in a sentence what stands in the way; after `doctor --fix` it starts; and nothing else is lost. Without
 * TORTURE_DAMAGES a seeded sample, several at once; with it each that matches, alone, as `npm run torture -- survival` does.
 */
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canRunAsNobody, NOBODY, type Outcome, tryDamages } from './testing/daemon/damaged-data-folder.ts';
import { type Damaged, everyDamage } from './testing/daemon/damages.ts';
import { livedInDataDir } from './testing/daemon/lived-in-data-folder.ts';
import { seededRandom } from './testing/seeded-random.ts';

const { TORTURE_DAMAGES, TORTURE_SEED = '20261122' } = process.env;
/** Matches the damages to try, as `path damage`. */
const wanted = TORTURE_DAMAGES === undefined ? null : new RegExp(TORTURE_DAMAGES);
const MINUTES = 60_000;

const mayBeNobody = await canRunAsNobody();
if (!mayBeNobody)
  console.warn('SKIPPED: the daemon cannot run as another user here, so that no file is unreadable for it');

let dataDir: string;
let all: Damaged[];
/** The files that each daemon writes. */
const written = ['daemon.json', 'leaders.json'];

beforeAll(async () => {
  await chmod(tmpdir(), 0o1777); // for the other user too, as the system's own
  dataDir = await livedInDataDir();
  all = (await everyDamage(dataDir)).filter(({ damage }) => mayBeNobody || damage !== 'unreadable');
}, 3 * MINUTES);
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const userFor = (damages: readonly Damaged[]) => (damages.some(isUnreadable) ? NOBODY : undefined);

/**
 * The changed paths that the damage does not explain. A job may install a damaged app again, in a new environment; an
 * app whose Python the other user may not run counts as damaged.
 */
function unexpected({ changed }: Outcome, damages: readonly Damaged[]): string[] {
  const isOfApp = (path: string) => /^apps(?:\/[^/]+(?:\/(?:current\.json|envs).*)?)?$/.test(path);
  const isAppDamaged = userFor(damages) !== undefined || damages.some(({ path }) => isOfApp(path));
  const mayChange = (path: string) =>
    written.includes(path) || (isAppDamaged && (isOfApp(path) || path === 'jobs.json'));
  return changed.filter((path) => !mayChange(path) && !path.includes('/__pycache__/')); // Python renews them
}

test.runIf(wanted === null)('a seeded sample', { timeout: 4 * MINUTES }, async () => {
  console.log(`TORTURE_SEED=${TORTURE_SEED}`);
  const random = seededRandom(Number(TORTURE_SEED));
  const shuffled = all
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
  // An app is installed again when its environment is damaged, which takes long: the doctor's own tests do that.
  const quick = shuffled.filter(({ path }) => !/^apps(?:\/[^/]+(?:\/(?:current|envs).*)?)?$/.test(path));
  const [unreadable, other] = [quick.filter(isUnreadable), quick.filter((each) => !isUnreadable(each))];
  const lock: Damaged = { path: 'daemon.lock', damage: 'random' };
  // It once ended the doctor.
  const records = unreadable.filter(({ path }) => path.endsWith('/repository.json'));
  for (const damages of [
    [lock, ...distinct(other).slice(0, 5)],
    distinct([...records, ...distinct(unreadable).slice(0, 3), ...distinct(other).slice(5)]).slice(0, 7),
  ]) {
    const outcome = await tryDamages(dataDir, damages, { commands: [['--fix']], user: userFor(damages) });
    expect({ damages, unexpected: unexpected(outcome, damages) }).toEqual({ damages, unexpected: [] });
    expect(outcome.up.at(-1), outcome.said.join('\n---\n')).toBe(true);
    expect(outcome.said.slice(1, -1).filter(isNoReport)).toEqual([]);
  }
});

test.runIf(wanted !== null)('each alone', { timeout: 24 * 60 * MINUTES }, async () => {
  const failed: unknown[] = [];
  const chosen = all.filter(({ path, damage }) => wanted?.test(`${path} ${damage}`));
  for (const [index, damaged] of chosen.entries()) {
    const outcome = await tryDamages(dataDir, [damaged], { user: userFor([damaged]), sharesTools: true }).catch(
      (error: Error) => error,
    );
    const name = `${index + 1}/${chosen.length} ${damaged.path} ${damaged.damage}`;
    const problem = outcome instanceof Error ? outcome.message : problemOf(outcome, damaged);
    const [before, after] = outcome instanceof Error ? [] : outcome.up;
    console.log(`${name}: ${before ? 'starts' : 'refused'}${after ? '' : ', also after the repair'} ${problem}`);
    if (problem !== '') failed.push(name, problem);
  }
  expect(failed).toEqual([]);
});

function problemOf(outcome: Outcome, damaged: Damaged): string {
  const lost = unexpected(outcome, [damaged]);
  if (lost.length > 0) return `lost: ${lost.slice(0, 5).join(', ')} (${lost.length})`;
  if (MAY_STAY.has(`${damaged.path} ${damaged.damage}`)) {
    const isNamed = outcome.said
      .slice(1, -1)
      .some((said) => said.includes('The lock file of the data folder cannot be used'));
    return isNamed ? '' : `the doctor does not name the lock file:\n${outcome.said.join('\n---\n')}`;
  }
  const failed = outcome.said.slice(1, -1).find(isNoReport);
  if (failed !== undefined) return `the doctor failed:\n${failed}`;
  return outcome.up[1] ? '' : `does not start after the repair:\n${outcome.said.join('\n---\n')}`;
}

/** A lock file of another user cannot be emptied by this one, and must not be renamed: its owner may hold it. The doctor says so. */
const MAY_STAY = new Set(['daemon.lock unreadable']);

/** Whether the doctor says that it failed, in place of what it found. */
const isNoReport = (said: string) => !/^data folder /m.test(said);

const isUnreadable = ({ damage }: Damaged) => damage === 'unreadable';

/** At most one damage of each top folder, so that they do not hide each other. */
function distinct(damages: readonly Damaged[]): Damaged[] {
  return [...Map.groupBy(damages, ({ path }) => path.split('/')[0]).values()].map(([first]) => first as Damaged);
}
