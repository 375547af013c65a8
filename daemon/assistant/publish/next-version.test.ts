import { expect, test } from 'vitest';
import { nextVersion, versionToPublish } from './version.ts';

test.each([
  ['0.1.0', '0.1.1'],
  ['1.2', '1.2.1'],
  ['3', '3.0.1'],
  ['0.1.9', '0.1.10'],
  ['2026.11.23.4', '2026.11.23.5'],
  ['1!2.0', '1!2.0.1'],
  ['1.0a1', '1.0a2'],
  ['1.0rc1', '1.0rc2'],
  ['v1.0b', '1.0b1'],
  ['1.0.post1', '1.0.post2'],
  ['1.0.dev3', '1.0.dev4'],
  ['1.0rc1.post2.dev4', '1.0rc1.post2.dev5'],
  ['1.0+mine', '1.0.1'],
  ['one', 'one'],
])('%s is followed by %s', (version, next) => {
  expect(nextVersion(version)).toBe(next);
});

test.each([
  ['a first publication', { local: '0.1.0', published: null, wanted: null }, '0.1.0'],
  ['the published version', { local: '0.1.0', published: '0.1.0', wanted: null }, '0.1.1'],
  ['the published version, written in another way', { local: '1.0', published: '1.0.0', wanted: null }, '1.0.1'],
  ['a version that the author has raised', { local: '0.2.0', published: '0.1.7', wanted: null }, '0.2.0'],
  ['an older version', { local: '0.1.0', published: '0.3.0', wanted: null }, '0.3.1'],
  ['a release after its candidate', { local: '1.0', published: '1.0rc3', wanted: null }, '1.0'],
  ['a version that is none', { local: 'one', published: '0.1.0', wanted: null }, 'one'],
  ['a wish', { local: '0.1.0', published: '0.1.0', wanted: '2.0' }, '2.0'],
] as const)('%s', (_, facts, version) => {
  expect(versionToPublish(facts)).toBe(version);
});
