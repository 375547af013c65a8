import type { ConsideredRecipe, Fit } from '../../../daemon/contract/catalog/models.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';

/** `text-generation` as `Text generation`. */
export function taskText(task: string): string {
  const text = task.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A recipe that fits without an offer runs on compute that a remote catalog's service selects. */
export function fitText({ fits, tight, lacksRuntime, canInstall, offer }: Fit | ConsideredRecipe): StateText {
  if (fits && offer === null) return { word: 'runs remotely', tone: 'idle' };
  if (fits) return tight ? { word: 'tight', tone: 'busy' } : { word: 'fits', tone: 'done' };
  if (canInstall) return { word: 'needs llama-server', tone: 'idle' };
  return { word: lacksRuntime ? 'no program' : 'does not fit', tone: 'idle' };
}

/** `fits` is false for an offer that is too small or not available. */
export function offerText(fits: boolean): StateText {
  return fits ? { word: 'fits', tone: 'done' } : { word: 'ruled out', tone: 'idle' };
}
