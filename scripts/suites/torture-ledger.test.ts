import { expect, test } from 'vitest';
import { areas } from './areas.ts';
import { flakyAgain, inputsOf, type Ledger, type LedgerEntry, openAreas } from './torture-ledger.ts';

const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => {
  return {
    at: '2026-11-27T03:00:00.000Z',
    inputs: 'a',
    seed: '1',
    passed: 9,
    failed: 0,
    skipped: 0,
    flaky: [],
    ...more,
  };
};

test('an area is open without a run, after a change, and after a run that failed; only its last run counts', () => {
  const ledger: Ledger = {
    run: [entry({ inputs: 'old' })],
    robot: [entry({ failed: 2 })],
    sdk: [entry({ failed: 1 }), entry()],
  };
  expect(openAreas(ledger, { install: 'a', run: 'a', robot: 'a', sdk: 'a' })).toEqual([
    'install has no long run yet.',
    'run has changed since its long run of 2026-11-27.',
    'robot failed in its long run of 2026-11-27.',
  ]);
});

test('a test is flaky again when two runs say so', () => {
  const ledger: Ledger = {
    run: [entry({ flaky: ['a', 'a'] }), entry({ flaky: ['b'] })],
    sdk: [entry({ flaky: ['b'] })],
  };
  expect(flakyAgain(ledger)).toEqual(['b']);
});

test('every area has inputs of its own', () => {
  const inputs = inputsOf();
  expect(Object.keys(inputs)).toEqual(Object.keys(areas));
  expect(new Set(Object.values(inputs)).size).toBe(Object.keys(areas).length);
});
