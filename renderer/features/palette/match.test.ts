import { expect, test } from 'vitest';
import { matchScore } from './match.ts';

const best = (typed: string, texts: readonly string[]) =>
  texts.toSorted((a, b) => matchScore(typed, b) - matchScore(typed, a))[0];

test.each([
  ['', 'anything'],
  ['start hello', 'Start hello_wave'],
  ['hello start', 'Start hello_wave'],
  ['STOP', 'Stop dance'],
  ['wave', 'hello_wave'],
  ['setings', 'Settings'],
  ['cafe', 'Café lights'],
  ['инст', 'Инструкция'],
  ['8b', 'acme/chat-8b-instruct'],
])('%j finds %j', (typed, text) => expect(matchScore(typed, text)).toBeGreaterThan(0));

test.each([
  ['zzz', 'hello_wave'],
  ['stop hello', 'Stop dance'],
  ['ae', 'hello_wave'],
  ['settingsss', 'Settings'],
])('%j does not find %j', (typed, text) => expect(matchScore(typed, text)).toBe(0));

test('the beginning of a word counts more than its middle, and of equal matches the shorter text comes first', () => {
  expect(best('art', ['Start dance', 'Art show'])).toBe('Art show');
  expect(best('dance', ['Remove dance…', 'dance', 'Start dance'])).toBe('dance');
  expect(best('apps', ['Sample apps', 'Apps'])).toBe('Apps');
});
