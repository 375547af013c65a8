import type { ConsideredOffer, ConsideredRecipe, Fit } from '../../../daemon/contract/catalog/models.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';

/** `text-generation` as `Text generation`. */
export function taskText(task: string): string {
  const text = task.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A recipe that fits without an offer runs on compute that a remote catalog's service selects. */
export function fitText(fit: Fit | ConsideredRecipe): StateText {
  const { fits, lacksRuntime, canInstall, offer } = fit;
  if (fits && offer === null) return { word: 'runs remotely', tone: 'idle' };
  if (fits) return placeText(fit);
  if (canInstall) return { word: 'needs llama-server', tone: 'idle' };
  return { word: lacksRuntime ? 'program missing' : 'does not fit', tone: 'idle' };
}

/** Where it fits, and whether it takes most of the memory there. */
function placeText({ tight, place }: Fit | ConsideredRecipe): StateText {
  if (place === 'card-partly') return { word: 'partly on the card', tone: 'busy' };
  if (place === null) return tight ? { word: 'tight', tone: 'busy' } : { word: 'fits', tone: 'done' };
  return tight ? { word: `tight on the ${place}`, tone: 'busy' } : { word: `fits the ${place}`, tone: 'done' };
}

/** `25 of 25 layers`; where that is not all, that it is slower. */
export function cardLayersText({ onCard, all }: NonNullable<Fit['layers']>): string {
  const slower = onCard < all ? '; the others run on the processor, which is slower' : '';
  return `${onCard} of ${all} layers${slower}`;
}

/** `fits` is false for an offer that is too small or not available. */
export function offerText({ fits, place }: Pick<ConsideredOffer, 'fits' | 'place'>): StateText {
  if (fits && place === 'card-partly') return { word: 'fits in part', tone: 'busy' };
  return fits ? { word: 'fits', tone: 'done' } : { word: 'ruled out', tone: 'idle' };
}
