import { expect, test } from 'vitest';
import { dataPaths } from '../shared/files/data-paths.ts';
import { findingsAround, type Surroundings } from './surroundings.ts';

const paths = dataPaths('/data');
const fine: Surroundings = {
  disk: { freeBytes: 50 * 1024 ** 3 },
  hub: { url: 'https://hub.example', answers: true },
  packageIndex: { answers: true },
};
const codes = (change: Partial<Surroundings>) =>
  findingsAround({ ...fine, ...change }, { paths }).map(({ code, severity }) => [code, severity]);

test('a machine that is online with room has no findings, nor one whose index could not be asked', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ packageIndex: { answers: null } })).toEqual([]);
});

test('a disk that is nearly full is broken; to be offline is worth knowing', () => {
  expect(codes({ disk: { freeBytes: 100 * 1024 ** 2 } })).toEqual([['disk-nearly-full', 'broken']]);
  expect(codes({ hub: { ...fine.hub, answers: false }, packageIndex: { answers: false } })).toEqual([
    ['hub-offline', 'note'],
    ['index-offline', 'note'],
  ]);
});
