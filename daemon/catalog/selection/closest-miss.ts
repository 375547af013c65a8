import { better } from './recipe-comparators.ts';
import { type Considered, missingProgram, type Reason } from './selection.ts';

type Comparator = (a: Considered, b: Considered) => number;

/** The reasons why a recipe does not fit an offer, the easiest to overcome first. */
const nearness: Readonly<Record<Reason, number>> = {
  fits: 0,
  'program-missing': 1,
  'quota-used-up': 2,
  'no-account': 3,
  'heads-indivisible': 4,
  'too-small': 5,
  'engine-unavailable': 6,
  'weights-unknown': 7,
  'not-available': 8,
  deprecated: 9,
  'other-accelerator': 10,
  'not-wanted': 11,
};

/** Compares by nearness to fitting, then by whether a missing program can be installed, then by missing memory. */
export const byNearness = (a: Considered, b: Considered): number =>
  nearness[a.reason] - nearness[b.reason] || Number(canInstall(b)) - Number(canInstall(a)) || shortage(a) - shortage(b);

/** Whether it lacks only a program that can be installed. */
export const canInstall = (row: Considered): boolean => missingProgram(row)?.canInstall === true;

const shortage = ({ ratio }: Considered) => ratio ?? Number.MAX_VALUE;

/**
 * The recipe and offer nearest to fitting, among available offers. If only memory is missing, it is the largest offer for
 * that recipe, so that a message never names a smaller one.
 * @param considered rows of which none fits
 */
export function closestMiss(considered: readonly Considered[]): Considered | null {
  const available = considered.filter(({ offer, reason }) => offer.hasProvider && reason !== 'not-wanted');
  const nearest = best(available, byNearness);
  if (nearest?.reason !== 'too-small') return nearest;
  const tooSmall = available.filter(({ recipe, reason }) => recipe === nearest.recipe && reason === 'too-small');
  return best(tooSmall, (a, b) => b.capacityBytes - a.capacityBytes);
}

/** The best offer among those that only need an account. */
export function withAccount(considered: readonly Considered[], compare: Comparator): Considered | null {
  return best(
    considered.filter(({ reason }) => reason === 'no-account'),
    compare,
  );
}

const best = (rows: readonly Considered[], compare: Comparator) =>
  rows.reduce<Considered | null>((found, one) => better(found, one, compare), null);
