import { expect, test } from 'vitest';
import { HubError } from './errors.ts';
import { streamFrom } from './repository-files.ts';

async function* pieces(text: string) {
  for (const piece of text.match(/.{1,3}/g) ?? []) yield Buffer.from(piece);
}
const read = async (offset: number, text: string, status: number, range: string | null = null) => {
  const answer = { status, headers: new Headers(range === null ? {} : { 'Content-Range': range }) };
  let all = '';
  for await (const chunk of streamFrom(offset, pieces(text), () => answer)) all += Buffer.from(chunk).toString();
  return all;
};

test('a part arrives as requested', async () => {
  expect(await read(4, 'efghij', 206, 'bytes 4-9/10')).toBe('efghij');
  expect(await read(0, 'abcdefghij', 200)).toBe('abcdefghij');
});

test.each([1, 3, 4, 9])('of a whole file, the first %i bytes are dropped', async (offset) => {
  expect(await read(offset, 'abcdefghij', 200)).toBe('abcdefghij'.slice(offset));
});

test.each(['bytes 0-9/10', 'bytes 5-9/10', 'nonsense', null])('another part, %s, is refused', async (range) => {
  await expect(read(4, 'efghij', 206, range)).rejects.toThrow(HubError);
});
