import { better } from './recipe-comparators.ts';
import type { Considered, Reason } from './selection.ts';

type Order = (a: Considered, b: Considered) => number;

/** What keeps a recipe from an offer, the easiest to overcome first. */
const nearness: readonly Reason[] = [
  'fits',
  'quota-used-up',
  'no-account',
  'heads-indivisible',
  'too-small',
  'engine-unavailable',
  'weights-unknown',
  'not-available',
  'deprecated',
  'other-accelerator',
  'not-wanted',
];

/** The nearer to fitting first; of those alike, what lacks the least. */
export const byNearness = (a: Considered, b: Considered): number =>
  nearness.indexOf(a.reason) - nearness.indexOf(b.reason) || lack(a) - lack(b);

const lack = ({ ratio }: Considered) => ratio ?? Number.MAX_VALUE;

/**
 * Of what can be had, what comes nearest to fitting. Where size is what lacks, it is the largest offer for that
 * recipe, so that no larger one goes unmentioned.
 * @param considered none of which fits
 */
export function closestMiss(considered: readonly Considered[]): Considered | null {
  const had = considered.filter(({ offer, reason }) => offer.hasProvider && reason !== 'not-wanted');
  const nearest = best(had, byNearness);
  if (nearest?.reason !== 'too-small') return nearest;
  const asLarge = had.filter(({ recipe, reason }) => recipe === nearest.recipe && reason === 'too-small');
  return best(asLarge, (a, b) => b.capacityBytes - a.capacityBytes);
}

/** Of what an account would open, the best place. */
export function withAccount(considered: readonly Considered[], order: Order): Considered | null {
  return best(
    considered.filter(({ reason }) => reason === 'no-account'),
    order,
  );
}

const best = (rows: readonly Considered[], order: Order) =>
  rows.reduce<Considered | null>((found, one) => better(found, one, order), null);
