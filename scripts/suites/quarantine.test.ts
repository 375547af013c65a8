import { expect, test } from 'vitest';
import { testFiles } from './areas.ts';
import { quarantine, withoutQuarantined } from './quarantine.ts';

test.each(['b.test.ts › waits', 'unit: b.test.ts › waits'])(
  'a test quarantined as "%s" is counted apart from the failed ones',
  (name) => {
    const failures = ['a.test.ts › waits\n    late', 'b.test.ts › waits\n    lost'];
    const entries = [{ test: name, cause: 'a slow disk', since: '2026-11-27' }];
    expect(withoutQuarantined({ passed: 3, failed: 2, skipped: 0, failures }, entries)).toEqual({
      ...{ passed: 3, failed: 1, skipped: 0, quarantined: 1 },
      failures: ['a.test.ts › waits\n    late'],
    });
  },
);

test('the file of each quarantined test exists', () => {
  // The reports of journeys and of Python name a file by the end of its path, Python with dots and without its extension.
  const files = testFiles().flatMap((file) => [file, file.replace(/\.py$/, '').replaceAll('/', '.')]);
  const missing = quarantine.filter(({ test: name }) => {
    const file = name.split(' › ', 1)[0]?.replace(/^.*: /, '') ?? '';
    return !files.some((path) => path.endsWith(file));
  });
  expect(missing).toEqual([]);
});

test('at most five tests are quarantined, each with its cause and its day', () => {
  expect(quarantine.length).toBeLessThanOrEqual(5);
  for (const { test: name, cause, since } of quarantine) {
    expect(name).toContain(' › ');
    expect(cause).not.toBe('');
    expect(since).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
});
