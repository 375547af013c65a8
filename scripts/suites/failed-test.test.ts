import { expect, test } from 'vitest';
import { failedTest } from './failed-test.ts';

test('the reason stands below the name, without colours and in a few lines', () => {
  const reason = `\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n\n  at a\n${'line\n'.repeat(20)}`;
  expect(failedTest('x.test.ts › adds', reason)).toBe(
    ['x.test.ts › adds', 'AssertionError: expected 1 to be 2', 'at a', 'line', 'line', 'line', 'line'].join('\n    '),
  );
});

test('a test without a reason has its name alone', () => {
  expect(failedTest('x.test.ts', undefined)).toBe('x.test.ts');
});
