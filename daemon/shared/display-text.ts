const PICTURE = String.raw`\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F`;

/**
 * What is not seen but changes how the text around it looks: marks and overrides of direction, zero-width characters,
 * fillers, tags. What picks or joins the pictures of an emoji stays.
 */
const unseen = new RegExp(
  String.raw`(?![\uFE0E\uFE0F]|(?<=${PICTURE})\u200D(?=\p{Extended_Pictographic}))\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]`,
  'gu',
);

/**
 * Text that others wrote, made fit to be shown: one line, nothing unseen in it.
 * @param limit how many characters at most; what is longer ends in …
 */
export function displayText(text: string, limit: number): string {
  // What is far beyond the limit is not even looked at.
  const flat = text
    .slice(0, 4 * limit + 1000)
    .toWellFormed()
    .replace(unseen, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(flat);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : flat;
}
