import { expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';
import { cpuOffer, gpuOffer } from '../compute/this-machine.ts';
import type { Considered } from './selection.ts';
import { fitSentence, gigabytes, offerLabel, reasonSentence } from './selection-reasons.ts';

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

const said = (recipe: Recipe, offer: ComputeOffer, reason: Considered['reason'], needBytes: number | null = 7e9) => {
  const { capacityBytes } = offer;
  return reasonSentence({ recipe, offer, needBytes, capacityBytes, ratio: null, reason });
};

test('every reason is a sentence', () => {
  expect([
    said(llamacpp, machine, 'fits'),
    said(vllm, cloud, 'fits', 50e9),
    said(llamacpp, machine, 'too-small', 43.93e9),
    said(vllm, cloud, 'no-account', 50e9),
    said(vllm, cloud, 'quota-used-up'),
    said(vllm, cloud, 'heads-indivisible'),
    said(llamacpp, machine, 'weights-unknown', null),
    said(vllm, graphics, 'engine-unavailable'),
    said(vllm, cloud, 'not-available'),
    said(vllm, cloud, 'deprecated'),
    said(vllm, machine, 'other-accelerator'),
    said(neuron, graphics, 'other-accelerator'),
    said(llamacpp, cloud, 'other-accelerator'),
    said(llamacpp, machine, 'not-wanted', null),
  ]).toEqual([
    'Needs 7.0 GB; this machine has 20.4 GB for it.',
    'Needs 50.0 GB; gcp us-east4 nvidia-l4 x4 has 86.4 GB for it, at $3.80 an hour.',
    'Needs 43.9 GB; this machine has only 20.4 GB for it.',
    'Needs 50.0 GB; gcp us-east4 nvidia-l4 x4 has 86.4 GB, but no account for gcp is configured.',
    'The quota for gcp in us-east4 is used up: 4 of 6 accelerators are taken, and it needs 4.',
    'Its attention heads cannot be shared evenly by the 4 accelerators of gcp us-east4 nvidia-l4 x4.',
    'How large its weights are is not known, so nothing tells whether it fits.',
    "Needs vLLM, which does not run on this machine's GPU.",
    'There is no gcp us-east4 nvidia-l4 x4 to be had now.',
    'Nothing new can start on gcp us-east4 nvidia-l4 x4: gcp is giving it up.',
    'Needs a GPU; this machine has none.',
    "Needs a Neuron accelerator; this machine's GPU is not one.",
    'Made for a CPU; gcp us-east4 nvidia-l4 x4 computes on a GPU.',
    'Not what was asked for.',
  ]);
});

test('where it fits is said shorter, with its price to the tenth of a cent', () => {
  expect(fitSentence(machine, 7e9)).toBe('Fits this machine: 7.0 of 20.4 GB.');
  expect(fitSentence({ ...cloud, pricePerHour: 0.033 }, 50e9)).toBe(
    'Fits gcp us-east4 nvidia-l4 x4: 50.0 of 86.4 GB, at $0.033 an hour.',
  );
});

test('sizes have their decimal, also where it is 0, and are no finer than it', () => {
  expect([20e9, 579_000_000, 0].map(gigabytes)).toEqual(['20.0 GB', '0.6 GB', '0.0 GB']);
});

test('an offer is called by where it is', () => {
  expect([machine, graphics, cloud].map(offerLabel)).toEqual([
    'this machine',
    "this machine's GPU",
    'gcp us-east4 nvidia-l4 x4',
  ]);
});
