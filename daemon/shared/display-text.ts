const PICTURE = String.raw`\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F`;

/**
 * Invisible characters that change the text around them: direction marks and overrides, zero-width characters, fillers,
 * tags. Selectors and joiners within an emoji stay.
 */
const invisible = new RegExp(
  String.raw`(?![\uFE0E\uFE0F]|(?<=${PICTURE})\u200D(?=\p{Extended_Pictographic}))\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]`,
  'gu',
);

/** Characters that steer a terminal, end a line or hide text. */
const unsafe = new RegExp(String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?:${invisible.source})`, 'gu');
const unsafeInLines = new RegExp(String.raw`(?!\n)(?:${unsafe.source})`, 'gu');

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes untrusted text safe for a log or a terminal: one line, in which control characters, line separators and
 * invisible characters are escapes (`\n`, `\u001b`).
 */
export function visibleText(text: string): string {
  return text.replace(unsafe, escaped);
}

/** The same, with line feeds kept. JSON keeps its meaning: the escapes are those of JSON. */
export function visibleLines(text: string): string {
  return text.replace(unsafeInLines, escaped);
}

function escaped(character: string): string {
  const units = character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return SHORT_ESCAPES[character] ?? units.join('');
}

/**
 * Makes untrusted text safe to show: one line, without invisible characters.
 * @param limit the maximum number of characters; longer text ends in …
 */
export function displayText(text: string, limit: number): string {
  // Text far beyond the limit is not processed.
  const flat = text
    .slice(0, 4 * limit + 1000)
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(flat);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : flat;
}

/** Makes untrusted text of several lines safe to show: without invisible and control characters; spaces and tabs stay. */
export function displayLines(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(invisible, '')
    .replace(/(?![\n\t])\p{Cc}/gu, '');
}
