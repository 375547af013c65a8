import { expect, test } from 'vitest';
import { LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';

function lines(...chunks: (string | Buffer)[]): [string, boolean][] {
  const seen: [string, boolean][] = [];
  const splitter = new LineSplitter((text, truncated) => seen.push([text, truncated]));
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  splitter.end();
  return seen;
}

test('lines are complete however the bytes arrive, and the last one needs no line feed', () => {
  const euro = Buffer.from('€');
  expect(lines('one\ntw', 'o\r\n\n', euro.subarray(0, 1), euro.subarray(1), ' three')).toEqual([
    ['one', false],
    ['two', false],
    ['', false],
    ['€ three', false],
  ]);
});

test('replaces bytes that are not UTF-8, and removes colour codes', () => {
  expect(lines(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a]), '\u001b[31mred\u001b[0m\n')).toEqual([
    ['a\ufffd\ufffdb', false],
    ['red', false],
  ]);
});

test('a line of 100 MB is truncated, and the next line is complete', () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const seen: [number, boolean][] = [];
  const splitter = new LineSplitter((text, truncated) => seen.push([text.length, truncated]));
  for (let megabytes = 0; megabytes < 100; megabytes++) splitter.write(chunk);
  splitter.write(Buffer.from('\nshort\n'));
  expect(seen).toEqual([
    [MAX_LINE_BYTES, true],
    [5, false],
  ]);
});

test('a carriage return ends a line where that is requested', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((text) => lines.push(text), { carriageReturns: true });
  splitter.write(Buffer.from('10%\r20'));
  splitter.write(Buffer.from('%\rdone\nnext'));
  splitter.end();
  expect(lines).toEqual(['10%', '20%', 'done', 'next']);
});
