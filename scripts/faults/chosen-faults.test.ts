import { expect, test } from 'vitest';
import { isProduction } from './chosen-faults.ts';

test.each([
  ['daemon/hub/hub.ts', true],
  ['scripts/packaging/targets.ts', true],
  ['daemon/hub/hub.test.ts', false],
  ['daemon/testing/fake-hub.ts', false],
  ['electron/testing/fake-host.ts', false],
  ['scripts/suites/areas.ts', false],
  ['scripts/faults/tiers.ts', false],
  ['vitest.config.ts', false],
])('whether %s is code of production: %s', (path, expected) => {
  expect(isProduction(path)).toBe(expected);
});
