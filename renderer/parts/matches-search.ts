/** Whether every word of the search occurs in one of the texts, whatever the case and the accents. */
export function matchesSearch(search: string, ...texts: readonly string[]): boolean {
  const text = plain(texts.join(' '));
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Without its case and its accents. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
