import { expect, test } from 'vitest';
import { newerVersion } from './newer-version.ts';

test.each(['0.1.1', '0.2.0', '1.0.0', '0.10.0', '0.2.0-alpha.1', '0.1.1-rc.2'])('%s is newer than 0.1.0', (version) => {
  expect(newerVersion(version, '0.1.0')).toBe(version);
});

test('versions before a version are in order', () => {
  const order = ['1.0.0-alpha.2', '1.0.0-alpha.10', '1.0.0-beta.1', '1.0.0-rc.1', '1.0.0', '1.0.1-alpha.1'];
  for (const [index, version] of order.slice(1).entries()) {
    expect(newerVersion(version, order[index] ?? '')).toBe(version);
    expect(() => newerVersion(order[index], version)).toThrow('is not newer than');
  }
});

test.each([
  [undefined, 'The new version is missing. Try: npm run release -- 0.2.0'],
  ['next', '"next" is no version. One is three numbers, like 0.2.0 or 0.2.0-beta.1.'],
  ['v0.2.0', '"v0.2.0" is no version.'],
  ['0.02.0', '"0.02.0" is no version.'],
  ['0.1.0', '0.1.0 is not newer than 0.1.0, the version in package.json. Try 0.2.0.'],
  ['0.1.0-rc.1', '0.1.0-rc.1 is not newer than 0.1.0'],
])('%s is refused in a sentence', (given, sentence) => {
  expect(() => newerVersion(given, '0.1.0')).toThrow(sentence);
});
