import { expect, test } from 'vitest';
import { codeIn, mayBeCode } from './sign-in-code.ts';

test.each([
  ['K7QF-2MXP-9TWD', 'K7QF-2MXP-9TWD'],
  [' k7qf 2mxp 9twd ', 'k7qf 2mxp 9twd'],
  ['k7qf2mxp9twd', 'k7qf2mxp9twd'],
  ['http://127.0.0.1:8000/sign-in?code=a_b-C', 'a_b-C'],
  ['K7QF-2MXP', null],
  ['rd_aaaabbbbcccc', null],
  ['no token', null],
  ['', null],
])('%j has the code %j', (text, code) => {
  expect(codeIn(text)).toBe(code);
});

test('what may still become a code can be read, and a token cannot', () => {
  expect(['', 'K7QF-', 'k7qf 2mxp 9twd'].map(mayBeCode)).toEqual([true, true, true]);
  expect(['rd_', 'http://127', 'a'.repeat(43)].map(mayBeCode)).toEqual([false, false, false]);
});
