import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readComputeOffers } from './compute-offers.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'assets', 'catalog', 'compute-offers.json');
const offers = readComputeOffers(file);
const offer = (id: string) => offers.find((one) => one.id === id);

test('the table has every offer, and nothing can be created at any of them yet', () => {
  const ofVendor = Map.groupBy(offers, ({ vendor }) => vendor);
  expect([...ofVendor].map(([vendor, { length }]) => [vendor, length])).toEqual([
    ['aws', 36],
    ['azure', 4],
    ['gcp', 15],
  ]);
  expect(offers.filter(({ hasProvider, quota }) => hasProvider || quota.maxAccelerators > 0)).toEqual([]);
});

test('a model may take 0.85 of a host, or 0.9 of what its accelerators have', () => {
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

test('an instance of several accelerators says so in its size, and so does one of several CPUs', () => {
  for (const { id, accelerator, instanceSize, numAccelerators, numCpus } of offers) {
    expect(instanceSize, id).toBe(`x${accelerator === 'cpu' ? numCpus : numAccelerators}`);
  }
});

test('of one type, more costs more and holds more', () => {
  const types = Map.groupBy(offers, ({ vendor, instanceType }) => `${vendor} ${instanceType}`);
  const size = ({ instanceSize }: { instanceSize: string }) => Number(instanceSize.slice(1));
  for (const [type, ofType] of types) {
    const sorted = ofType.toSorted((a, b) => size(a) - size(b));
    const rising = (values: readonly number[]) => values.every((value, i) => i === 0 || value > (values[i - 1] ?? 0));
    expect(rising(sorted.map(({ pricePerHour }) => pricePerHour)), type).toBe(true);
    expect(rising(sorted.map(({ capacityBytes }) => capacityBytes)), type).toBe(true);
  }
});

test('a table that is not what it should be is refused, with what is wrong', async () => {
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
    await expect(read({ ...good, region: 's' })).rejects.toThrow('the id is not made of');
    await expect(read({ ...good, status: 'deprecated' })).rejects.toThrow('go together');
    await expect(read({ ...good, accelerator: 'cpu' })).rejects.toThrow('memory that a model would take is missing');
    await expect(read({ ...good, gpuMemoryGb: 24 })).rejects.toThrow('gpuMemoryGb');
    expect(() => readComputeOffers(join(folder, 'none.json'))).toThrow('ENOENT');
  } finally {
    await rm(folder, { recursive: true });
  }
});
