/** The longest emoji, of a family with skin tones, or the flag of a region: more is no emoji but text. */
const MAX_UNITS = 35;
/** A regional flag: a black flag and its letters as tags. */
const REGION_FLAG = /^\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{1,7}\u{E007F}$/u;
/** Two letters of a country, or a key. */
const FLAG_OR_KEY = /^(?:\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3)$/u;
const ONE = String.raw`\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?`;
const PICTURE = new RegExp(String.raw`^${ONE}(?:\u200D${ONE})*$`, 'u');

let characters: Intl.Segmenter | null = null;

/** The first character of a text, if it is an emoji that people see as one picture; otherwise an empty text. */
export function emojiOf(text: string): string {
  // Far beyond the limit nothing is looked at: a character may have any number of marks.
  const start = text.trimStart().slice(0, MAX_UNITS + 1);
  if (isEmoji(start)) return start;
  // Made at the first longer text: the tables of languages take 10 ms to load, which the daemon's start does without.
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const [first = { segment: '' }] = characters.segment(start);
  return isEmoji(first.segment) ? first.segment : '';
}

function isEmoji(text: string): boolean {
  return text.length <= MAX_UNITS && (PICTURE.test(text) || FLAG_OR_KEY.test(text) || REGION_FLAG.test(text));
}
