import type { Accelerator } from '../../contract/catalog/catalog.ts';
import { byteText, byteTextOf } from '../../contract/common/byte-text.ts';
import { type ComputeOffer, LOCAL_VENDOR } from '../compute/compute-offer.ts';
import { engineNames } from '../compute/engine-names.ts';
import { missingProgram } from './program-lack.ts';
import type { Considered } from './selection.ts';

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

/** `this machine`, `this machine's GPU`, `gcp us-east4 nvidia-l4 x1`. */
export function offerLabel({ vendor, region, instanceType, instanceSize, accelerator }: ComputeOffer): string {
  if (vendor !== LOCAL_VENDOR) return `${vendor} ${region} ${instanceType} ${instanceSize}`;
  return accelerator === 'cpu' ? 'this machine' : "this machine's GPU";
}

/** `Fits this machine: 7.0 of 20.4 GB.` */
export const fitSentence = (offer: ComputeOffer, needBytes: number): string =>
  `Fits ${offerLabel(offer)}: ${byteTextOf(needBytes, offer.capacityBytes)}${priceText(offer)}.`;

/** One sentence that says why a recipe fits an offer or does not. */
export function reasonSentence(row: Considered): string {
  const { recipe, offer, needBytes, capacityBytes, reason } = row;
  const place = offerLabel(offer);
  const needs = needBytes === null ? 'Its size is unknown' : `Needs ${byteText(needBytes)}`;
  switch (reason) {
    case 'fits':
      return `${needs}; ${place} has ${byteText(capacityBytes)} for it${priceText(offer)}.`;
    case 'too-small':
      return `${needs}; ${place} has only ${byteText(capacityBytes)} for it.`;
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
