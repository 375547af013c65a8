import { expect, test } from 'vitest';
import { exitOfCode } from './fork-node.ts';

test.each([
  [0, null],
  [1, null],
  [2, null],
  [11, 'SIGSEGV'],
  [0x80 + 11, 'SIGSEGV'], // with a core dump
  [0x80 + 6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [0xc0000005, 'SIGSEGV'],
  [-1_073_741_819, 'SIGSEGV'], // the same with a sign
  [0xc0000409, 'SIGABRT'],
  [0xc000013a, null], // Ctrl+C
] as const)('the code %i of an ended program is the signal %s', (code, signal) => {
  expect(exitOfCode(code)).toEqual(signal ? { code: null, signal } : { code, signal: null });
});
