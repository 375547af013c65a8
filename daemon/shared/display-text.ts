const PICTURE = String.raw`\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F`;

/**
 * Invisible characters that change the text around them: direction marks and overrides, zero-width characters, fillers,
 * tags. Selectors and joiners within an emoji stay.
 */
const invisible = new RegExp(
  String.raw`(?![\uFE0E\uFE0F]|(?<=${PICTURE})\u200D(?=\p{Extended_Pictographic}))\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]`,
  'gu',
);

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
