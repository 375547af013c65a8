import { expect, test } from 'vitest';
import { secretsIn } from './secrets.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const LETTERS = LOWER + UPPER;
const ALL = LETTERS + DIGITS;

/** The same tokens in each run, put together so that no scanner takes this file for a leak. */
function generator(): (prefix: string, alphabet: string, length: number) => string {
  let state = 20_261_123;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return (prefix, alphabet, length) =>
    prefix + Array.from({ length }, () => alphabet[next(alphabet.length)] ?? '').join('');
}

test.each([
  ['of the hub, letters only', 'hf_', LETTERS, 34],
  ['of the hub, small letters only', 'hf_', LOWER, 34],
  ['of the hub, with digits', 'hf_', ALL, 34],
  ['of a code host, letters only', 'ghp_', LETTERS, 36],
  ['of a code host, with digits', 'gho_', ALL, 36],
  ['of a code host, with parts', 'github_pat_', `${ALL}_`, 82],
  ['of a model service', 'sk-', ALL, 48],
  ['of a model service, letters only', 'sk-', LETTERS, 48],
  ['of a model service, by project', 'sk-proj-', `${ALL}_-`, 120],
  ['of a model service, small letters and digits', 'sk-or-v1-', 'abcdef0123456789', 64],
  ['of a cloud account', 'AKIA', `${UPPER}234567`, 16],
  ['of a cloud account, letters only', 'AKIA', UPPER, 16],
  ['of a web service', 'AIza', `${ALL}_-`, 35],
])('a token %s is found, whatever its letters', (_name, prefix, alphabet, length) => {
  const make = generator();
  const tokens = Array.from({ length: 500 }, () => make(prefix, alphabet, length));
  const missed = tokens.filter((token) => secretsIn(`x = 1\nTOKEN = "${token}"\n`)[0]?.line !== 2);
  expect(missed).toEqual([]);
});

test.each([
  `hf_${'x'.repeat(34)}`,
  `hf_${'X'.repeat(37)}`,
  `hf_abc${'a'.repeat(31)}`,
  'hf_your_token_here',
  'hf_YourHuggingFaceTokenGoesHereInThisPlace',
  'hf_replaceThisWithYourOwnTokenOfTheHubbb',
  'hf_...',
  'hf_hub_download_with_a_long_name_of_a_function',
  `ghp_${'x'.repeat(36)}`,
  'sk-your-api-key-goes-right-here-please',
  `sk-${'x'.repeat(48)}`,
  'sk-circle-fade-animation-delay-slow',
  'sk-toggleable__content-fallback-text',
  'AKIAIOSFODNN7EXAMPLE',
  'task-AbCdEfGhIjKlMnOpQrStUvWx12',
])('%s only shows where a token goes', (text) => {
  expect(secretsIn(`TOKEN = "${text}"\n`)).toEqual([]);
});
