import { expect, test } from 'vitest';
import { appFromHub, installedApp } from '../../testing/fixtures.ts';
import { installedFrom } from './StoreCard.tsx';

test('an app counts as installed by its repository, not by its name', () => {
  const dance = appFromHub('dance');
  expect(installedFrom('Anna/Dance', [dance])).toBe(dance);
  expect(installedFrom('ben/dance', [dance])).toBeUndefined();
  expect(installedFrom('anna/dance', [installedApp('dance')])).toBeUndefined();
});
