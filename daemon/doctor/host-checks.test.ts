import { expect, test } from 'vitest';
import { dataPaths } from '../shared/files/data-paths.ts';
import { findingsOfHost, type HostState } from './host-checks.ts';

const paths = dataPaths('/data');
const healthy: HostState = {
  disk: { freeBytes: 50 * 1024 ** 3 },
  hub: { url: 'https://hub.example', answers: true },
  packageIndex: { answers: true },
};
const codes = (change: Partial<HostState>) =>
  findingsOfHost({ ...healthy, ...change }, { paths }).map(({ code, severity }) => [code, severity]);

test('a machine that is online with free disk space has no findings, also if the index was not requested', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ packageIndex: { answers: null } })).toEqual([]);
});

test('a nearly full disk is broken, being offline is a note', () => {
  expect(codes({ disk: { freeBytes: 100 * 1024 ** 2 } })).toEqual([['disk-nearly-full', 'broken']]);
  expect(codes({ hub: { ...healthy.hub, answers: false }, packageIndex: { answers: false } })).toEqual([
    ['hub-offline', 'note'],
    ['index-offline', 'note'],
  ]);
});
