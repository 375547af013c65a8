import { expect, test } from 'vitest';
import type { ComputeOffer } from './compute-offer.ts';
import { type LocalLimits, offersWithLimits, withLocalLimits } from './local-programs.ts';
import { cpuOffer, gpuOffer } from './this-machine.ts';

const noContainers = { containers: 'No engine.', containerGpu: 'No engine.', images: new Set<string>() };
const host = { cpus: 8, cpuModel: 'Some CPU', totalBytes: 24e9, availableBytes: 24e9 };

const [cpu, gpu] = [cpuOffer(host), gpuOffer(host, [{ name: 'One', totalBytes: 20e9, freeBytes: 19e9 }])];
const lack = (sentence: string, canInstall = false) => ({ sentence, canInstall });

test('the offers of this machine say what its programs lack; those of others stay', () => {
  const other = { ...cpu, id: 'other', vendor: 'gcp' };
  expect(
    withLocalLimits([cpu, gpu, other], { cpu: null, gpu: 'No.', vision: 'Blind.', canInstall: true, ...noContainers }),
  ).toEqual([
    { ...cpu, lacks: { engines: {}, vision: lack('Blind.', true) } },
    { ...gpu, lacks: { engines: { llamacpp: lack('No.') }, vision: lack('Blind.') } },
    other,
  ]);
});

test('the engines with a known image run in containers, once there is a program for these', () => {
  const images = new Set(['vllm:cpu', 'vllm:gpu', 'tei:cpu', 'vllmomni:gpu', 'vllmneuron:neuron', 'custom:cpu']);
  const limits = { cpu: null, gpu: null, vision: null, canInstall: false, images };
  const offers = (containers: string | null, containerGpu: string | null) =>
    withLocalLimits([cpu, gpu], { ...limits, containers, containerGpu }).map(({ engines, lacks }) => [engines, lacks]);
  const [onCpu, onGpu] = [
    ['llamacpp', 'tei', 'vllm'],
    ['llamacpp', 'vllm', 'vllmOmni'],
  ];
  const none = { engines: {}, vision: null };
  expect(offers(null, null)).toEqual([
    [onCpu, none],
    [onGpu, none],
  ]);
  const needs = (name: string, sentence: string) => lack(`Needs ${name}, which runs in a container. ${sentence}`);
  expect(offers(null, 'No card.')).toEqual([
    [onCpu, none],
    [onGpu, { engines: { vllm: needs('vLLM', 'No card.'), vllmOmni: needs('vLLM-Omni', 'No card.') }, vision: null }],
  ]);
  expect(offers('Install one.', 'No card.')).toEqual([
    [onCpu, { engines: { tei: needs('TEI', 'Install one.'), vllm: needs('vLLM', 'Install one.') }, vision: null }],
    [
      onGpu,
      { engines: { vllm: needs('vLLM', 'Install one.'), vllmOmni: needs('vLLM-Omni', 'Install one.') }, vision: null },
    ],
  ]);
});

test('the offers stay the same array until the limits change', async () => {
  let limits: LocalLimits = { cpu: 'None.', gpu: null, vision: null, canInstall: false, ...noContainers };
  const ofMachine = [cpuOffer(host)];
  const listed: ComputeOffer[] = [];
  const offers = offersWithLimits({
    ofMachine: async () => ofMachine,
    listed: async () => listed,
    limits: async () => limits,
  });
  const before = await offers();
  expect(await offers()).toBe(before);
  limits = { ...limits, cpu: null };
  expect((await offers()).map(({ lacks }) => lacks)).toEqual([{ engines: {}, vision: null }]);
  expect(before.map(({ lacks }) => lacks)).toEqual([{ engines: { llamacpp: lack('None.') }, vision: null }]);
});
