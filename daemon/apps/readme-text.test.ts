import { expect, test } from 'vitest';
import { readmeOf } from './readme-text.ts';

const markdownOf = (text: string) => readmeOf(text, { isWhole: true }).markdown;

test.each([
  ['---\ntitle: x\ntags: [a]\n---\n# Hello\n\nText\n', '# Hello\n\nText'],
  ['---\r\ntitle: x\r\n---\r\nOne\r\nTwo\r\n', 'One\nTwo'],
  ['---\ntitle: x\n---', ''],
  ['no front matter\n---\nbut a line', 'no front matter\n---\nbut a line'],
  ['```\n    indented  text\n\ttabbed\n```', '```\n    indented  text\n\ttabbed\n```'],
  ['nothing \u202ehidden\u202c \u200bhere\u0007', 'nothing hidden here'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['', ''],
])('%j becomes %j', (readme, markdown) => expect(markdownOf(readme)).toBe(markdown));

test('long lines are cut, and deep quotes and lists are made flat', () => {
  expect(markdownOf('a'.repeat(60_000))).toHaveLength(5_000);
  expect(markdownOf(`${'>'.repeat(5_000)} deep`)).toBe(`${'>'.repeat(12)} deep`);
  expect(markdownOf(`${'> '.repeat(2_000)}deep`)).toBe(`${'>'.repeat(1)}${' >'.repeat(11)} deep`);
  expect(markdownOf(`${'- '.repeat(2_000)}deep`)).toBe(`-${' -'.repeat(11)} deep`);
  expect(markdownOf(`x\n${' '.repeat(3_000)}- deep`)).toBe(`x\n${' '.repeat(40)}- deep`);
});

test('a README that was read in part says so', () => {
  expect(readmeOf('# Hello', { isWhole: false })).toEqual({ markdown: '# Hello', truncated: true });
});
