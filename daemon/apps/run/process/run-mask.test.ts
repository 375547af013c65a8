import { expect, test } from 'vitest';
import { createMask } from './run-mask.ts';

test.each([
  ['a secret, wherever it is', ['hf_secret'], 'token=hf_secret; hf_secret', 'token=••••••; ••••••'],
  ['what stands for something else in a pattern', ['a.b*c(d)[e]\\f$^|-/'], 'see a.b*c(d)[e]\\f$^|-/!', 'see ••••••!'],
  ['the longer one of two that begin alike', ['secret', 'secret-more'], 'secret-more', '••••••'],
  ['each line of one with several', ['first-line\n  second-line\n'], 'second-line', '••••••'],
  ['not a word that is too short to be a secret', ['abc', '', '      '], 'abc def', 'abc def'],
  ['not the same in another case', ['hf_secret'], 'HF_SECRET', 'HF_SECRET'],
])('hides %s', (_what, secrets, text, shown) => {
  expect(createMask(secrets)(text)).toBe(shown);
});

test('hides a secret that is too long for a regular expression, and the shorter ones beside it', () => {
  const long = 'x1'.repeat(60_000);
  expect(createMask([long, 'hf_secret'])(`a ${long} b hf_secret c`)).toBe('a •••••• b •••••• c');
  expect(createMask([long])(`a ${long} b`)).toBe('a •••••• b');
});

test('hides the beginning of a secret only where a line was cut', () => {
  const mask = createMask(['hf_secret_of_ann', 'short_one']);
  expect(mask('it is hf_secret_o', true)).toBe('it is ••••••');
  expect(mask('it is short_', true)).toBe('it is ••••••');
  expect(mask('it is hf_secret_of_ann', true)).toBe('it is ••••••');
  expect(mask('it is hf_se', true)).toBe('it is hf_se'); // too short to be of use
  expect(mask('it is hf_secret_o')).toBe('it is hf_secret_o');
  expect(mask('hf_secret_ is not at the end', true)).toBe('hf_secret_ is not at the end');
});
