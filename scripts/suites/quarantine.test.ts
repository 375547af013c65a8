import { expect, test } from 'vitest';
import { quarantine, withoutQuarantined } from './quarantine.ts';

test('a quarantined test is counted apart from the failed ones', () => {
  const failures = ['a.test.ts › waits\n    late', 'b.test.ts › waits\n    lost'];
  const entries = [{ test: 'b.test.ts › waits', cause: 'a slow disk', since: '2026-11-27' }];
  expect(withoutQuarantined({ passed: 3, failed: 2, skipped: 0, failures }, entries)).toEqual({
    ...{ passed: 3, failed: 1, skipped: 0, quarantined: 1 },
    failures: ['a.test.ts › waits\n    late'],
  });
});

test('at most five tests are quarantined, each with its cause and its day', () => {
  expect(quarantine.length).toBeLessThanOrEqual(5);
  for (const { test: name, cause, since } of quarantine) {
    expect(name).toContain(' › ');
    expect(cause).not.toBe('');
    expect(since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
});
