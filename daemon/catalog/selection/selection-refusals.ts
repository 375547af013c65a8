import type { Recipe } from '../../contract/catalog/catalog.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import { displayText } from '../../shared/display-text.ts';
import type { CatalogEntry } from '../catalog-entry.ts';
import { NoCompatibleCompute, RecipeNotFound } from './errors.ts';
import type { NoRecipe, NothingFits } from './selection.ts';
import { offerLabel, reasonSentence } from './selection-reasons.ts';

/** More names would be of no use to a person. */
const MAX_NAMED = 12;

/** The error for a model without a matching recipe; it names the request and the model's recipes. */
export function recipeNotFound({ item }: CatalogEntry, { wanted }: NoRecipe): RecipeNotFound {
  const requested = [
    wanted.accelerator && `for ${wanted.accelerator}`,
    wanted.ggufFile !== undefined && `with the file "${displayText(wanted.ggufFile, 200)}"`,
  ].filter((words) => typeof words === 'string');
  const what = `The model "${item.repoId}" has no recipe ${requested.join(' ')}`.trimEnd();
  const names = [...new Set(item.recipes.map(recipeName))].sort();
  if (names.length === 0) return new RecipeNotFound(`${what}.`);
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '';
  return new RecipeNotFound(`${what}. It has: ${names.slice(0, MAX_NAMED).join(', ')}${more}.`);
}

/** `cpu with llamacpp (Qwen3-8B-Q4_K_M.gguf)`. */
const recipeName = ({ accelerator, engineType, ggufFile }: Recipe) =>
  `${accelerator} with ${engineType}${ggufFile === undefined ? '' : ` (${ggufFile})`}`;

/** The error when nothing fits: what the closest miss lacks, then where an account would help, or else what to do. */
export function noCompatibleCompute({ closestMiss, withAccount }: NothingFits): NoCompatibleCompute {
  return new NoCompatibleCompute(
    `No compatible compute found for the model: ${lacks(closestMiss)}.${advice(closestMiss, withAccount)}`,
  );
}

function lacks(miss: NothingFits['closestMiss']): string {
  if (miss === null) return 'there is no compute to run it on';
  if (miss.reason === 'too-small' && miss.needBytes !== null) {
    return `needs ${byteText(miss.needBytes)}, the largest available is ${byteText(miss.capacityBytes)} (${offerLabel(miss.offer)})`;
  }
  const sentence = reasonSentence(miss).slice(0, -1);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function advice(miss: NothingFits['closestMiss'], withAccount: NothingFits['withAccount']): string {
  if (withAccount !== null && withAccount.needBytes !== null) {
    const { offer, needBytes, capacityBytes } = withAccount;
    return ` ${offerLabel(offer)} has ${byteText(capacityBytes)} for the ${byteText(needBytes)} it needs, but no account for ${offer.vendor} is configured.`;
  }
  switch (miss?.reason) {
    case 'too-small':
      return ' Choose a smaller model.';
    case 'program-missing':
      return ''; // the sentence says what to do
    case 'quota-used-up':
      return ' Pause or delete an endpoint there.';
    default:
      return ' Choose another model.';
  }
}
