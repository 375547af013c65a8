import { availableParallelism, totalmem } from 'node:os';
import { describe, expect, test } from 'vitest';
import { cpuOffer, type FreeCard, gpuOffer, type Host, machineOffers, measureHost } from './this-machine.ts';

const GiB = 1024 ** 3;
const host = (change: Partial<Host>): Host => ({
  cpus: 8,
  cpuModel: 'Some CPU',
  totalBytes: 24e9,
  availableBytes: 24e9,
  ...change,
});

test('this machine’s CPUs are a free offer that runs only llama.cpp', () => {
  expect(cpuOffer(host({}))).toEqual({
    id: 'local-this-machine-host-x8',
    vendor: 'local',
    region: 'this-machine',
    accelerator: 'cpu',
    instanceType: 'host',
    instanceSize: 'x8',
    architecture: 'Some CPU',
    numAccelerators: 1,
    numCpus: 8,
    memoryBytes: 24e9,
    acceleratorMemoryBytes: null,
    capacityBytes: 20.4e9,
    pricePerHour: 0,
    status: 'available',
    quota: { maxAccelerators: 1, usedAccelerators: 0 },
    hasProvider: true,
    engines: ['llamacpp'],
  });
});

test.each([
  ['reserves a GiB of its free memory', 10e9, 10e9 - GiB],
  ['offers nothing with less than that free', GiB / 2, 0],
  ['offers two thirds when its free memory is unknown', null, 16e9],
])('a busy machine %s', (_how, availableBytes, capacityBytes) => {
  expect(cpuOffer(host({ availableBytes })).capacityBytes).toBe(capacityBytes);
});

test('its GPUs are one offer with their free memory', () => {
  const gpus = [
    { name: 'One', totalBytes: 20e9, freeBytes: 19e9 },
    { name: 'One', totalBytes: 20e9, freeBytes: 5e9 },
    { name: 'Two', totalBytes: 10e9, freeBytes: 10e9 },
  ];
  expect(gpuOffer(host({}), gpus)).toMatchObject({
    id: 'local-this-machine-host-gpu-x3',
    accelerator: 'gpu',
    architecture: 'One + Two',
    numAccelerators: 3,
    acceleratorMemoryBytes: 50e9,
    capacityBytes: 32e9,
    quota: { maxAccelerators: 3, usedAccelerators: 0 },
  });
});

describe('its graphics cards', () => {
  const card = (change: Partial<FreeCard> = {}): FreeCard => ({
    ...{ name: 'Card', totalBytes: 10e9, freeBytes: 8e9, sharesMemory: false, ...change },
  });
  const gpu = { name: 'Gpu', totalBytes: 10e9, freeBytes: 8e9 };
  const onCard = (cards: readonly FreeCard[], gpus: readonly (typeof gpu)[] = [], of = host({})) =>
    machineOffers(of, cards, gpus).map(({ accelerator, capacityBytes, card: memory }) => [
      ...[accelerator, capacityBytes, memory],
    ]);
  const cpu = ['cpu', 20.4e9, undefined];

  test('have their free memory for llama.cpp, and that of the machine beside it', () => {
    expect(onCard([card()])).toEqual([cpu, ['gpu', 8e9, { freeBytes: 8e9, hostBytes: 20.4e9 }]]);
    expect(onCard([card({ freeBytes: 10e9 })])[1]).toEqual(['gpu', 9e9, { freeBytes: 9e9, hostBytes: 20.4e9 }]);
    expect(onCard([card({ freeBytes: 0 })])[1]?.[2]).toEqual({ freeBytes: 0, hostBytes: 20.4e9 });
  });

  test('are all for containers, and one for llama.cpp: the one with the most memory', () => {
    const larger = card({ totalBytes: 16e9, freeBytes: 2e9 });
    expect(onCard([card(), larger], [gpu, gpu])[1]).toEqual(['gpu', 16e9, { freeBytes: 2e9, hostBytes: 20.4e9 }]);
  });

  test('that share the memory of the machine have what is free of it, once', () => {
    const shared = card({ totalBytes: 24e9, freeBytes: 24e9, sharesMemory: true });
    expect(onCard([shared])[1]?.[2]).toEqual({ freeBytes: 20.4e9, hostBytes: 0 });
    expect(onCard([shared], [], host({ availableBytes: 4e9 }))[1]?.[2]).toEqual({ freeBytes: 4e9 - GiB, hostBytes: 0 });
  });

  test('that only containers can use have none for llama.cpp', () => {
    expect(onCard([], [gpu])).toEqual([cpu, ['gpu', 8e9, undefined]]);
    expect(onCard([])).toEqual([cpu]);
  });
});

test('the machine that runs this test is measured', () => {
  const measured = measureHost();
  expect(measured.cpus).toBe(availableParallelism());
  expect(measured.totalBytes).toBeGreaterThan(GiB / 8);
  expect(measured.totalBytes).toBeLessThanOrEqual(totalmem());
  expect(measured.availableBytes ?? measured.totalBytes).toBeLessThanOrEqual(measured.totalBytes);
  expect(measured.cpuModel).not.toBe('');
});
