/** Installing with uv. */
import { describe, test } from 'vitest';
import { installCases, toolCases } from '../../testing/apps/installer-cases.ts';
import { uvIsHere } from '../../testing/python/uv.ts';

if (await uvIsHere()) {
  describe('with uv', () => {
    toolCases('uv');
    installCases('uv');
  });
} else {
  console.warn('SKIPPED: installing with uv, because uv is not here and the package index does not have it');
  test.skip('with uv', () => {});
}
