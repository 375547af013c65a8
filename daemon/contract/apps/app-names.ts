/** The forms of an app's name. */
export interface AppNames {
  /** The entry point, the package and the folder: `my_first_app`. */
  readonly package: string;
  /** `MyFirstApp` */
  readonly className: string;
  /** The project: `my-first-app`. */
  readonly distribution: string;
  /** For people: `My first app`. */
  readonly title: string;
}

/** Latin letters that Unicode does not take apart into a plain letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ı: 'i', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
};

/**
 * Derives the forms of a name from how its author writes it: `My first app`, `my-app`, `MyApp`. Whether an app may have
 * that name is for the daemon to say. null: there is no letter of A to Z or digit, or a character that no package has.
 */
export function appNamesOf(written: string): AppNames | null {
  const text = written.normalize('NFC').trim().replace(/\s+/g, ' ');
  const words = wordsOf(text);
  if (words.length === 0) return null;
  const name = words.join('_').toLowerCase();
  if (!/^\w+$/.test(name)) return null;
  return {
    package: name,
    className: words.map(capitalized).join(''),
    distribution: name.replaceAll('_', '-'),
    title: titleOf(text),
  };
}

function wordsOf(text: string): string[] {
  return plainLatin(text)
    .replace(/([a-z0-9])([A-Z][a-z])/g, '$1_$2')
    .split(/[ _-]+/)
    .filter((word) => word !== '');
}

/** The text with plain Latin letters where it has others of the Latin script. */
export function plainLatin(text: string): string {
  const bare = text.normalize('NFD').replace(/(?<=\p{Script=Latin})\p{M}+/gu, '');
  return bare.normalize('NFC').replace(/[^\x20-\x7e]/g, (letter) => plainLetters[letter] ?? letter);
}

function titleOf(text: string): string {
  const spaced = text.replace(/[_-]+/g, ' ').replace(/\s+/g, ' ').trim();
  return capitalized(text.includes(' ') ? text : spaced);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
