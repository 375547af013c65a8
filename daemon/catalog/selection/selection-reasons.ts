import type { Accelerator, Recipe } from '../../contract/catalog/catalog.ts';
import type { CardLayers } from '../../contract/catalog/models.ts';
import { byteText, byteTextOf } from '../../contract/common/byte-text.ts';
import { displayText } from '../../shared/display-text.ts';
import type { CatalogEntry } from '../catalog-entry.ts';
import { type ComputeOffer, engineNames, LOCAL_VENDOR } from '../compute/compute-offer.ts';
import { NoCompatibleCompute, RecipeNotFound } from '../errors.ts';
import { type Chosen, type Considered, cardFor, missingProgram, type NoRecipe, type NothingFits } from './selection.ts';

const accelerators: Readonly<Record<Accelerator, string>> = {
  cpu: 'a CPU',
  gpu: 'a GPU',
  neuron: 'a Neuron accelerator',
};

/** Created at the first use: it takes 10 ms, which would delay the start. */
let dollars: Intl.NumberFormat | undefined;

function inDollars(price: number): string {
  dollars ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 3 });
  return dollars.format(price);
}

/** `this machine`, `this machine's graphics card`, `gcp us-east4 nvidia-l4 x1`. */
export function offerLabel({ vendor, region, instanceType, instanceSize, accelerator }: ComputeOffer): string {
  if (vendor !== LOCAL_VENDOR) return `${vendor} ${region} ${instanceType} ${instanceSize}`;
  return accelerator === 'cpu' ? 'this machine' : "this machine's graphics card";
}

/** `this machine`, `the graphics card`: the place whose memory a recipe fits in, or which has too little for it. */
function roomLabel({ recipe, offer, capacityBytes }: Pick<Considered, 'recipe' | 'offer' | 'capacityBytes'>): string {
  const card = cardFor(recipe, offer);
  if (card === undefined) return offerLabel(offer);
  return capacityBytes > card.freeBytes ? CARD_AND_MACHINE : 'the graphics card';
}

const CARD_AND_MACHINE = 'the graphics card and this machine together';

/** `Fits this machine: 7.0 of 20.4 GB.` */
export function fitSentence(chosen: Omit<Chosen, 'outcome' | 'considered' | 'ctxSize' | 'tensorParallelSize'>): string {
  const { offer, needBytes, capacityBytes, place, layers } = chosen;
  if (place === 'card-partly' && layers !== null) {
    return `Partly fits the graphics card, ${layersText(layers)}: slower than a model that fits whole.`;
  }
  return `Fits ${roomLabel(chosen)}: ${byteTextOf(needBytes, capacityBytes)}${priceText(offer)}.`;
}

const layersText = ({ onCard, all }: CardLayers) => `${onCard} of ${all} layers`;

/**
 * One sentence that says why a recipe fits an offer or does not.
 * @param instead what fits where this is too large: a file, or another model; null: nothing is known
 */
export function reasonSentence(row: Considered, instead: string | null = null): string {
  const { recipe, offer, needBytes, capacityBytes, reason, layers } = row;
  const place = offerLabel(offer);
  const room = roomLabel(row);
  const needs = needBytes === null ? 'Its size is unknown' : `Needs ${byteText(needBytes)}`;
  switch (reason) {
    case 'fits':
      if (row.place === 'card-partly' && layers !== null) {
        return `${needs}; ${layersText(layers)} fit the graphics card, the others this machine.`;
      }
      return `${needs}; ${room} has ${byteText(capacityBytes)} for it${priceText(offer)}.`;
    case 'too-small': {
      const missing = byteText(Math.max(0, (needBytes ?? 0) - capacityBytes));
      const fitting = instead === null ? '' : `; ${displayText(instead, 200)} fits`;
      return `${needs}, ${missing} more than ${room} ${room === CARD_AND_MACHINE ? 'have' : 'has'} for it${fitting}.`;
    }
    case 'no-account':
      return `${needs}; ${place} has ${byteText(capacityBytes)}, but no account for ${offer.vendor} is configured.`;
    case 'program-missing':
      return missingProgram(row)?.sentence ?? `${place} has no program that runs it.`;
    case 'quota-used-up':
      return `The quota for ${offer.vendor} in ${offer.region} is used up: ${quotaText(offer)}.`;
    case 'heads-indivisible':
      return `Its attention heads cannot be shared evenly by the ${offer.numAccelerators} accelerators of ${place}.`;
    case 'weights-unknown':
      return 'The size of its weights is unknown, so whether it fits is unknown too.';
    case 'engine-unavailable':
      return recipe.engineType === 'custom'
        ? 'Needs a container of its own, and the catalog does not name its image.'
        : `Needs ${engineNames[recipe.engineType]}, which does not run on ${place}.`;
    case 'not-available':
      return `No ${place} is available now.`;
    case 'deprecated':
      return `Nothing new can start on ${place}: ${offer.vendor} is retiring it.`;
    case 'other-accelerator':
      if (recipe.accelerator === 'cpu') return `Made for a CPU; ${place} runs on ${accelerators[offer.accelerator]}.`;
      return `Needs ${accelerators[recipe.accelerator]}; ${place} ${offer.accelerator === 'cpu' ? 'has none' : 'has another accelerator'}.`;
    case 'not-wanted':
      return 'Does not match the request.';
  }
}

const priceText = ({ pricePerHour }: ComputeOffer) =>
  pricePerHour === 0 ? '' : `, at ${inDollars(pricePerHour)} an hour`;

const quotaText = ({ quota: { maxAccelerators, usedAccelerators }, numAccelerators }: ComputeOffer) =>
  `${usedAccelerators} of ${maxAccelerators} accelerators are in use, and it needs ${numAccelerators}`;

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
    return `needs ${byteText(miss.needBytes)}, the largest available is ${byteText(miss.capacityBytes)} (${roomLabel(miss)})`;
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
