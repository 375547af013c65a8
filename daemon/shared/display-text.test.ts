import { expect, test } from 'vitest';
import { displayText, visibleLines, visibleText } from './display-text.ts';

test.each([
  ['plain text stays', 'Waves – at you, žluťoučký 日本', 'Waves – at you, žluťoučký 日本'],
  ['lines become one', ' two\r\nlines\u2028three\u2029\tfour ', 'two lines three four'],
  ['control characters and escapes go', 'a\u0007b\u001b[31mc\u0000d\u009b', 'a b [31mc d'],
  ['overrides of direction go', 'safe\u202Egpj.exe\u202C \u2066x\u2069 \u200Ey\u200F\u061C', 'safegpj.exe x y'],
  ['zero-width characters go', 'da\u200Bn\u200Cc\u200De\uFEFF\u2060\u00AD\u3164', 'dance'],
  ['tags that nobody sees go', 'dance\u{E0041}\u{E0042}', 'dance'],
  ['emoji keep what joins them', '👩‍🚀 👩🏽‍🚀 ❤️‍🔥 👋', '👩‍🚀 👩🏽‍🚀 ❤️‍🔥 👋'],
  ['half a character is shown as unknown', 'a\uD83D', 'a\uFFFD'],
  ['nothing but unseen characters is nothing', '\u200B\u202E \n', ''],
])('%s', (_name, text, shown) => expect(displayText(text, 80)).toBe(shown));

test('longer text ends in …, and no character is cut in two', () => {
  expect(displayText('x'.repeat(80), 80)).toBe('x'.repeat(80));
  expect(displayText('x'.repeat(81), 80)).toBe(`${'x'.repeat(79)}…`);
  expect(displayText('👋'.repeat(9), 4)).toBe('👋👋👋…');
  expect(displayText('long '.repeat(10_000_000), 5)).toBe('long…');
});

test('escapes keep the meaning of JSON', () => {
  const value = { text: 'a\n\u001b[31m\u007f\u0085\u009b\u2028\u202e\u200b\ud83d\u{e0041} 👩‍🚀 \\n' };
  for (const spaces of [0, 2]) {
    const shown = visibleLines(JSON.stringify(value, null, spaces));
    expect(JSON.parse(shown)).toEqual(value);
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e\u200b]/u);
  }
  expect(visibleText('a\nb')).toBe('a\\nb');
  expect(visibleLines('a\nb\r')).toBe('a\nb\\r');
});
