let inEnglish: Intl.ListFormat | null = null;

/** "A", "A and B" or "A, B, and C". */
export function listText(names: readonly string[]): string {
  // Made at the first list: the tables of languages take 10 ms to load, which the daemon's start does without.
  inEnglish ??= new Intl.ListFormat('en', { type: 'conjunction' });
  return inEnglish.format(names);
}
