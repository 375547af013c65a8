import { expect, test } from 'vitest';
import { signInText } from './sign-in.ts';

test.each([
  [{ requireToken: false, behindProxy: null }, 'To deploy models'],
  [{ requireToken: true, behindProxy: null }, 'To use it'],
  [{ requireToken: false, behindProxy: '127.0.0.1' }, 'To use it'],
])('the start says what the sign-in is for: %o', (options, what) => {
  expect(signInText(options, 'http://x')).toBe(`${what}, sign in once at http://x`);
});
