import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readComputeOffers } from './compute-offers.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'assets', 'catalog', 'compute-offers.json');
const offers = readComputeOffers(file);
const offer = (id: string) => offers.find((one) => one.id === id);

test('every listed offer is read, without a provider', () => {
  const ofVendor = Map.groupBy(offers, ({ vendor }) => vendor);
  expect([...ofVendor].map(([vendor, { length }]) => [vendor, length])).toEqual([
    ['aws', 36],
    ['azure', 4],
    ['gcp', 15],
  ]);
  expect(offers.filter(({ hasProvider, quota }) => hasProvider || quota.maxAccelerators > 0)).toEqual([]);
});

test('a model may use 0.85 of a host’s memory, or 0.9 of its accelerators’', () => {
  expect(offer('aws-us-east-1-intel-spr-x8')).toEqual({
    id: 'aws-us-east-1-intel-spr-x8',
    vendor: 'aws',
    region: 'us-east-1',
    accelerator: 'cpu',
    instanceType: 'intel-spr',
    instanceSize: 'x8',
    architecture: 'Intel Sapphire Rapids',
    numAccelerators: 1,
    numCpus: 8,
    memoryBytes: 16e9,
    acceleratorMemoryBytes: null,
    capacityBytes: 13.6e9,
    pricePerHour: 0.268,
    status: 'available',
    quota: { maxAccelerators: 0, usedAccelerators: 0 },
    hasProvider: false,
    engines: null,
  });
  expect(offer('gcp-us-east4-nvidia-l4-x4')).toMatchObject({ acceleratorMemoryBytes: 96e9, capacityBytes: 86.4e9 });
  expect(offer('aws-us-east-1-inf2-x1')).toMatchObject({ memoryBytes: 14.5e9, capacityBytes: 28.8e9 });
});

test('the instance size has the number of accelerators or CPUs', () => {
  for (const { id, accelerator, instanceSize, numAccelerators, numCpus } of offers) {
    expect(instanceSize, id).toBe(`x${accelerator === 'cpu' ? numCpus : numAccelerators}`);
  }
});

test('within a type, a larger instance costs more and has more memory', () => {
  const types = Map.groupBy(offers, ({ vendor, instanceType }) => `${vendor} ${instanceType}`);
  const size = ({ instanceSize }: { instanceSize: string }) => Number(instanceSize.slice(1));
  for (const [type, ofType] of types) {
    const sorted = ofType.toSorted((a, b) => size(a) - size(b));
    const rising = (values: readonly number[]) => values.every((value, i) => i === 0 || value > (values[i - 1] ?? 0));
    expect(rising(sorted.map(({ pricePerHour }) => pricePerHour)), type).toBe(true);
    expect(rising(sorted.map(({ capacityBytes }) => capacityBytes)), type).toBe(true);
  }
});

test('an invalid table is refused with the reason', async () => {
  const good = {
    id: 'v-r-t-x1',
    vendor: 'v',
    region: 'r',
    instanceType: 't',
    instanceSize: 'x1',
    accelerator: 'gpu',
    architecture: 'a',
    numAccelerators: 1,
    pricePerHour: 1,
    status: 'available',
    acceleratorMemoryGb: 24,
  };
  const folder = await mkdtemp(join(tmpdir(), 'offers-'));
  const read = async (...listed: readonly object[]) => {
    const path = join(folder, 'offers.json');
    await writeFile(path, JSON.stringify(listed));
    return readComputeOffers(path);
  };
  try {
    await expect(read(good)).resolves.toHaveLength(1);
    await expect(read(good, good)).rejects.toThrow('two offers have the same id');
    await expect(read({ ...good, region: 's' })).rejects.toThrow('the id must be');
    await expect(read({ ...good, status: 'deprecated' })).rejects.toThrow('deprecatedSince is required');
    await expect(read({ ...good, accelerator: 'cpu' })).rejects.toThrow('the memory for models is missing');
    await expect(read({ ...good, gpuMemoryGb: 24 })).rejects.toThrow('gpuMemoryGb');
    expect(() => readComputeOffers(join(folder, 'none.json'))).toThrow('ENOENT');
  } finally {
    await rm(folder, { recursive: true });
  }
});
