import { expect, test } from 'vitest';
import { tiersOf } from './tiers.ts';

test('faults of the dashboard and the window meet the smoke journeys in the browser and in the window', () => {
  const smoke = tiersOf('journeys').find(({ name }) => name === 'smoke');
  expect(smoke?.suites.map(({ name }) => name)).toEqual([
    'journeys in a browser',
    expect.stringMatching(/^the window, on /),
  ]);
});

test('each kind of trial has the same tiers and suites', () => {
  const names = (trial: Parameters<typeof tiersOf>[1]) =>
    tiersOf('robot', trial).map(({ name, suites }) => [name, suites.map((suite) => suite.name)]);
  expect(names('all failures')).toEqual(names('first failure'));
  expect(names('without a fault')).toEqual(names('first failure'));
});
