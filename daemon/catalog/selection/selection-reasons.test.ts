import { describe, expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import { cardWith } from '../../testing/models/some-models.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';
import { cpuOffer, gpuOffer } from '../compute/this-machine.ts';
import type { Considered } from './selection.ts';
import { fitSentence, noCompatibleCompute, offerLabel, reasonSentence } from './selection-reasons.ts';

const host = { cpus: 8, cpuModel: 'CPU', totalBytes: 24e9, availableBytes: 24e9 };
const machine = cpuOffer(host);
const graphics = gpuOffer(host, [{ name: 'GPU', totalBytes: 24e9, freeBytes: 24e9 }]);
const cloud: ComputeOffer = {
  ...graphics,
  id: 'gcp-us-east4-nvidia-l4-x4',
  vendor: 'gcp',
  region: 'us-east4',
  instanceType: 'nvidia-l4',
  instanceSize: 'x4',
  numAccelerators: 4,
  capacityBytes: 86.4e9,
  pricePerHour: 3.8,
  quota: { maxAccelerators: 6, usedAccelerators: 4 },
};
const llamacpp: Recipe = { publicId: 'm', accelerator: 'cpu', engineType: 'llamacpp' };
const vllm: Recipe = { publicId: 'm', accelerator: 'gpu', engineType: 'vllm' };
const neuron: Recipe = { publicId: 'm', accelerator: 'neuron', engineType: 'vllmNeuron' };

const lack = (sentence: string) => ({ sentence, canInstall: false });
const sentenceFor = (
  recipe: Recipe,
  offer: ComputeOffer,
  reason: Considered['reason'],
  needBytes: number | null = 7e9,
) => {
  const { capacityBytes } = offer;
  return reasonSentence({ ...elsewhere, recipe, offer, needBytes, capacityBytes, ratio: null, reason });
};
const elsewhere = { place: null, layers: null };

test('every reason is a sentence', () => {
  expect([
    sentenceFor(llamacpp, machine, 'fits'),
    sentenceFor(vllm, cloud, 'fits', 50e9),
    sentenceFor(llamacpp, machine, 'too-small', 43.93e9),
    sentenceFor(vllm, cloud, 'no-account', 50e9),
    sentenceFor(
      llamacpp,
      { ...machine, lacks: { engines: {}, vision: lack('It reads images. Do this.') } },
      'program-missing',
    ),
    sentenceFor(
      llamacpp,
      { ...machine, lacks: { engines: { llamacpp: lack('No. Do this.') }, vision: lack('Blind.') } },
      'program-missing',
    ),
    sentenceFor(vllm, cloud, 'quota-used-up'),
    sentenceFor(vllm, cloud, 'heads-indivisible'),
    sentenceFor(llamacpp, machine, 'weights-unknown', null),
    sentenceFor(vllm, graphics, 'engine-unavailable'),
    sentenceFor({ ...vllm, engineType: 'custom' }, graphics, 'engine-unavailable'),
    sentenceFor(vllm, cloud, 'not-available'),
    sentenceFor(vllm, cloud, 'deprecated'),
    sentenceFor(vllm, machine, 'other-accelerator'),
    sentenceFor(neuron, graphics, 'other-accelerator'),
    sentenceFor(llamacpp, cloud, 'other-accelerator'),
    sentenceFor(llamacpp, machine, 'not-wanted', null),
  ]).toEqual([
    'Needs 7.0 GB; this machine has 20.4 GB for it.',
    'Needs 50.0 GB; gcp us-east4 nvidia-l4 x4 has 86.4 GB for it, at $3.80 an hour.',
    'Needs 43.9 GB, 23.5 GB more than this machine has for it.',
    'Needs 50.0 GB; gcp us-east4 nvidia-l4 x4 has 86.4 GB, but no account for gcp is configured.',
    'It reads images. Do this.',
    'No. Do this.',
    'The quota for gcp in us-east4 is used up: 4 of 6 accelerators are in use, and it needs 4.',
    'Its attention heads cannot be shared evenly by the 4 accelerators of gcp us-east4 nvidia-l4 x4.',
    'The size of its weights is unknown, so whether it fits is unknown too.',
    "Needs vLLM, which does not run on this machine's graphics card.",
    'Needs a container of its own, and the catalog does not name its image.',
    'No gcp us-east4 nvidia-l4 x4 is available now.',
    'Nothing new can start on gcp us-east4 nvidia-l4 x4: gcp is retiring it.',
    'Needs a GPU; this machine has none.',
    "Needs a Neuron accelerator; this machine's graphics card has another accelerator.",
    'Made for a CPU; gcp us-east4 nvidia-l4 x4 runs on a GPU.',
    'Does not match the request.',
  ]);
});

test('the sentence for a fit is shorter, with the price to the tenth of a cent', () => {
  const sentence = (offer: ComputeOffer, needBytes: number, recipe = vllm) =>
    fitSentence({ ...elsewhere, recipe, offer, needBytes, capacityBytes: offer.capacityBytes });
  expect(sentence(machine, 7e9, llamacpp)).toBe('Fits this machine: 7.0 of 20.4 GB.');
  expect(sentence({ ...cloud, pricePerHour: 0.033 }, 50e9)).toBe(
    'Fits gcp us-east4 nvidia-l4 x4: 50.0 of 86.4 GB, at $0.033 an hour.',
  );
  expect(sentence(graphics, 7e9)).toBe("Fits this machine's graphics card: 7.0 of 21.6 GB.");
});

describe('the graphics card', () => {
  const offer = cardWith(7.3e9, 20.4e9);
  const recipe: Recipe = { ...llamacpp, accelerator: 'gpu' };
  const rowOf = (needBytes: number, capacityBytes: number, where: Pick<Considered, 'place' | 'layers'>) => ({
    ...{ recipe, offer, needBytes, capacityBytes, ratio: null, ...where },
  });

  test('has its memory in the sentences for a model that fits it', () => {
    const row = rowOf(4.1e9, 7.3e9, { place: 'card', layers: { onCard: 33, all: 33 } });
    expect([fitSentence(row), reasonSentence({ ...row, reason: 'fits' })]).toEqual([
      'Fits the graphics card: 4.1 of 7.3 GB.',
      'Needs 4.1 GB; the graphics card has 7.3 GB for it.',
    ]);
  });

  test('has its layers in those for a model that partly fits it', () => {
    const row = rowOf(11e9, 27.7e9, { place: 'card-partly', layers: { onCard: 20, all: 33 } });
    expect([fitSentence(row), reasonSentence({ ...row, reason: 'fits' })]).toEqual([
      'Partly fits the graphics card, 20 of 33 layers: slower than a model that fits whole.',
      'Needs 11.0 GB; 20 of 33 layers fit the graphics card, the others this machine.',
    ]);
  });

  test('is too small alone, or together with the machine', () => {
    const refused = (capacityBytes: number) => ({
      ...rowOf(40e9, capacityBytes, elsewhere),
      reason: 'too-small' as const,
    });
    expect([7.3e9, 27.7e9].map((bytes) => reasonSentence(refused(bytes)))).toEqual([
      'Needs 40.0 GB, 32.7 GB more than the graphics card has for it.',
      'Needs 40.0 GB, 12.3 GB more than the graphics card and this machine together have for it.',
    ]);
    expect(reasonSentence(refused(7.3e9), 'm-q4.gguf')).toBe(
      'Needs 40.0 GB, 32.7 GB more than the graphics card has for it; m-q4.gguf fits.',
    );
    const nothing = {
      outcome: 'nothing-fits',
      closestMiss: refused(27.7e9),
      withAccount: null,
      considered: [],
    } as const;
    expect(noCompatibleCompute(nothing).message).toBe(
      'No compatible compute found for the model: needs 40.0 GB, the largest available is 27.7 GB (the graphics card and this machine together). Choose a smaller model.',
    );
  });
});

test('an offer’s label is its place', () => {
  expect([machine, graphics, cloud].map(offerLabel)).toEqual([
    'this machine',
    "this machine's graphics card",
    'gcp us-east4 nvidia-l4 x4',
  ]);
});
