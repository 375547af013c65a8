import { expect, test } from 'vitest';
import { plainLines } from './plain-lines.ts';

test('copied lines steer no terminal and turn no text around', () => {
  const texts = ['a\tb', 'c\u001b[2Jd\re\u0007', 'f\u202eg\u2028h\u0085', '👩‍👧 ü 日本'];
  expect(plainLines(texts.map((text) => ({ text })))).toBe(
    'a\tb\nc\uFFFD[2Jd\uFFFDe\uFFFD\nf\uFFFDg\uFFFDh\uFFFD\n👩‍👧 ü 日本',
  );
});
