const inEnglish = new Intl.ListFormat('en', { type: 'conjunction' });

/** "A", "A and B" or "A, B, and C". */
export const listText = (names: readonly string[]): string => inEnglish.format(names);
