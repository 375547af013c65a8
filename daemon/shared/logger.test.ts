import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readJsonFile } from './files/json-file.ts';
import { createLogger } from './logger.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger('debug', (line) => (text += line)));
  return text;
}
/** The log without its first time of day. */
const entry = (text: string) => text.replace(/^\d\d:\d\d:\d\d\.\d{3} /, '');

/** Every character that steers a terminal, ends a line or changes the text around it. */
const hostile = [
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(0x7f + code)),
  ...['\u2028', '\u2029', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069', '\u061c', '\u200b', '\ufeff'],
  ...['\ud83d', '\u{e0041}', '\ufff9'],
].join('');

test('an entry is one line whatever its message contains', () => {
  const text = logged((log) => log.info(`jobs: ${hostile} failed`));
  expect(text.match(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}]/gu)).toEqual(['\n']);
  expect(text.endsWith(' failed\n')).toBe(true);
  expect(entry(logged((log) => log.warn('x\n05:00:00.000 info  forged\r\u001b[31m\u0000\t\u009b\u202e')))).toBe(
    'warn  x\\n05:00:00.000 info  forged\\r\\u001b[31m\\u0000\\t\\u009b\\u202e\n',
  );
});

test('ordinary text stays, in any script', () => {
  const message = 'Žluťoučký 日本 👩‍🚀 ❤️ C:\\new\\table "x"';
  expect(entry(logged((log) => log.info(message)))).toBe(`info  ${message}\n`);
});

test('a cause is written with its stack, which cannot be mistaken for entries', () => {
  const error = new TypeError('no\n05:00:00.000 info  forged\n    at forged\u001b[31m');
  const [first, ...stack] = entry(logged((log) => log.error('http: GET /\n05:00:00.000 x', error))).split('\n');
  expect(first).toBe(
    'error http: GET /\\n05:00:00.000 x: TypeError: no\\n05:00:00.000 info  forged\\n    at forged\\u001b[31m',
  );
  expect(stack.pop()).toBe('');
  expect(stack.length).toBeGreaterThan(2);
  for (const line of stack) expect(line).toMatch(/^ {4}at /);
});

test('a message that was changed after the stack was taken, and what is no error', () => {
  const error = new Error('first\n05:00:00.000 info  forged');
  error.message = 'second';
  for (const line of logged((log) => log.error('x', error))
    .split('\n')
    .slice(1, -1))
    expect(line).toMatch(/^ {4}\S/);
  expect(entry(logged((log) => log.error('x', 'a\nb')))).toBe('error x: a\\nb\n');
  expect(entry(logged((log) => log.error('x', Object.assign(new Error('a'), { stack: 1 }))))).toBe(
    'error x: Error: a\n',
  );
  expect(entry(logged((log) => log.error('x', Object.assign(new Error('a'), { message: undefined }))))).toMatch(
    /^error x: Error: .*\n {4}at /,
  );
  expect(entry(logged((log) => log.error('x', Object.assign(new Error('a\nb'), { stack: undefined }))))).toBe(
    'error x: Error: a\\nb\n',
  );
});

test('a damaged file and an error of the system take one line, without a stack', async () => {
  const damaged = await readJsonFile(import.meta.filename, z.any()).catch((error: unknown) => error);
  const missing = await readFile('/does/not/exist').catch((error: unknown) => error);
  expect(entry(logged((log) => log.error('x', damaged)))).toBe(
    `error x: ${import.meta.filename} is damaged: it is not JSON.\n`,
  );
  expect(entry(logged((log) => log.error('x', missing)))).toBe(
    "error x: ENOENT: no such file or directory, open '/does/not/exist'\n",
  );
});
