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
