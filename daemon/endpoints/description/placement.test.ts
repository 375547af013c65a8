import { expect, test } from 'vitest';
import { cpuOffer } from '../../catalog/compute/this-machine.ts';
import { NoCompatibleCompute } from '../../catalog/errors.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { placedIfMoved, placedOn } from './placement.ts';

const machine = cpuOffer({ cpus: 2, cpuModel: 'CPU', totalBytes: 8e9, availableBytes: 8e9 });
const parts = partsNamed('a');

test('an endpoint is placed on the offer that it names', () => {
  expect(placedOn([machine], parts)).toEqual({ ...parts, compute: { ...parts.compute, id: machine.id } });
});

test('an unknown offer is an invalid request, an unusable offer a conflict', () => {
  expect(() => placedOn([], parts)).toThrow(InvalidBody);
  expect(() => placedOn([{ ...machine, hasProvider: false }], parts)).toThrow(NoCompatibleCompute);
  expect(() => placedOn([{ ...machine, status: 'deprecated' }], parts)).toThrow(NoCompatibleCompute);
});

test('an endpoint that does not move can be changed though its offer is gone; one that moves is placed again', () => {
  const tagged = { ...parts, tags: ['a'] };
  expect(placedIfMoved([], parts, tagged)).toEqual(tagged);
  const moved = { ...parts, compute: { ...parts.compute, instanceSize: 'x4' } };
  expect(() => placedIfMoved([machine], parts, moved)).toThrow(InvalidBody);
});
