import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Hardware } from '../../contract/compute/hardware.ts';
import { readComputeOffers } from './compute-offers.ts';
import { hardwareList } from './hardware-list.ts';
import { cpuOffer, gpuOffer } from './this-machine.ts';

const listed = readComputeOffers(
  join(import.meta.dirname, '..', '..', '..', 'assets', 'catalog', 'compute-offers.json'),
);
const host = { cpus: 8, cpuModel: 'CPU', totalBytes: 25_276_502_016, availableBytes: 24e9 };
const machine = [cpuOffer(host), gpuOffer(host, [{ name: 'GPU', totalBytes: 25_757_220_864, freeBytes: 24e9 }])];

test('this machine in the list', () => {
  const common = { numCpus: 8, memoryGb: 25.3, status: 'available', pricePerHour: 0 };
  const quota = { maxAccelerators: 1, usedAccelerators: 0 };
  expect(Hardware.parse(hardwareList(machine))).toEqual({
    vendors: [
      {
        name: 'local',
        status: 'available',
        regions: [
          {
            name: 'this-machine',
            label: 'This machine',
            status: 'available',
            computes: [
              {
                ...common,
                id: 'local-this-machine-host-x8',
                accelerator: 'cpu',
                numAccelerators: 1,
                gpuMemoryGb: null,
                instanceType: 'host',
                instanceSize: 'x8',
                architecture: 'CPU',
                quota,
              },
              {
                ...common,
                id: 'local-this-machine-host-gpu-x1',
                accelerator: 'gpu',
                numAccelerators: 1,
                gpuMemoryGb: 25.8,
                instanceType: 'host-gpu',
                instanceSize: 'x1',
                architecture: 'GPU',
                quota,
              },
            ],
          },
        ],
      },
    ],
  });
});

test('every offer is listed once, vendors sorted by name', () => {
  const { vendors } = Hardware.parse(hardwareList([...listed, ...machine]));
  expect(vendors.map(({ name }) => name)).toEqual(['aws', 'azure', 'gcp', 'local']);
  const ids = vendors.flatMap(({ regions }) => regions.flatMap(({ computes }) => computes.map(({ id }) => id)));
  expect(ids.toSorted()).toEqual([...listed, ...machine].map(({ id }) => id).toSorted());
});

test('without a provider nothing is available; a deprecated offer stays deprecated', () => {
  const [aws] = hardwareList(listed).vendors;
  const computes = aws?.regions.flatMap((region) => region.computes) ?? [];
  expect([aws?.status, aws?.regions[0]?.status]).toEqual(['not_available', 'not_available']);
  expect(new Set(computes.map(({ status }) => status))).toEqual(new Set(['not_available', 'deprecated']));
});

test('with a provider, the vendor’s status counts', () => {
  const [aws] = hardwareList(listed.map((offer) => ({ ...offer, hasProvider: offer.vendor === 'aws' }))).vendors;
  expect(aws?.status).toBe('available');
  expect(new Set(aws?.regions[0]?.computes.map(({ status }) => status))).toEqual(new Set(['available', 'deprecated']));
});
