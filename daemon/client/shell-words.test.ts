import { expect, test } from 'vitest';
import { isPastable, shellWord } from './shell-words.ts';

test.each([
  ['dance', 'dance', 'dance'],
  ['lab/poet', 'lab/poet', 'lab/poet'],
  ['', "''", '""'],
  ['/home/a/My app', "'/home/a/My app'", '"/home/a/My app"'],
  ["it's", "'it'\\''s'", '"it\'s"'],
  ['$HOME `x` "y"', `'$HOME \`x\` "y"'`, '"$HOME `x` "y""'],
  ['C:\\Users\\a', `'C:'\\\\'Users'\\\\'a'`, 'C:\\Users\\a'],
  ["\\'; touch x", `''\\\\''\\''; touch x'`, '"\\\'; touch x"'],
  ['=ls', "'=ls'", '"=ls"'],
  ['a=b', 'a=b', 'a=b'],
  ['https://a,https://b', 'https://a,https://b', '"https://a,https://b"'],
  ['@x', '@x', '"@x"'],
])('%j is one word for each shell', (word, posix, windows) => {
  expect([shellWord(word), shellWord(word, 'windows')]).toEqual([posix, windows]);
});

test.each([
  ['/home/a/My app', true, true],
  ["it's; rm -rf $HOME", true, false],
  ['say "hello"', true, false],
  ['%PATH%', true, false],
  ['`whoami`', true, false],
  ['C:\\Users\\A B\\', true, false],
  ['two\nlines', false, false],
  ['\u001b[201~reboot', false, false],
  ['--yes', false, false],
])('whether %j can be pasted, in shells of Unix and of Windows', (word, posix, windows) => {
  expect([isPastable(word, 'posix'), isPastable(word, 'windows')]).toEqual([posix, windows]);
});
