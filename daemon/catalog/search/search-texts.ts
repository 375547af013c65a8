import type { CatalogItem } from '../../contract/catalog/catalog.ts';
import { inBatches } from './batches.ts';
import type { CatalogEntry } from './catalog-entry.ts';

/** The words of one search: an item matches when its text contains every one of them. */
export type SearchWords = readonly string[];

/** @param search words separated by white space, in any case */
export function searchWords(search: string): SearchWords {
  return lowerCase(search).split(/\s+/).filter(Boolean);
}

export function lowerCase(text: string): string {
  return text.toLocaleLowerCase('en-US');
}

/** In 32-bit numbers: 4 exclude most texts without reading them. */
const SIGNATURE_LENGTH = 4;

/** A test of positions for the words of one search. */
export type TextMatcher = (position: number) => boolean;

/**
 * The searchable text of each item, by position, with a signature (a Bloom filter): one bit for each pair of adjacent
 * characters. A text is read only when its signature has all the bits of the words; 16 bytes a text save most of a scan.
 */
export class SearchTexts {
  readonly #texts: readonly string[];
  readonly #signatures: Int32Array;

  private constructor(texts: readonly string[], signatures: Int32Array) {
    this.#texts = texts;
    this.#signatures = signatures;
  }

  static async build(entries: readonly CatalogEntry[]): Promise<SearchTexts> {
    const texts: string[] = [];
    const signatures = new Int32Array(entries.length * SIGNATURE_LENGTH);
    await inBatches(entries, ({ item }, position) => {
      const text = textOf(item);
      texts.push(text);
      sign(text, signatures, position * SIGNATURE_LENGTH);
    });
    return new SearchTexts(texts, signatures);
  }

  /** @returns whether the text at a position contains every word */
  matcher(words: SearchWords): TextMatcher {
    if (words.length === 0) return () => true;
    const wanted = new Int32Array(SIGNATURE_LENGTH);
    for (const word of words) sign(word, wanted, 0);
    const [texts, signatures] = [this.#texts, this.#signatures];
    return (position) => {
      const begin = position * SIGNATURE_LENGTH;
      for (let part = 0; part < SIGNATURE_LENGTH; part++) {
        const bits = wanted[part] ?? 0;
        if (((signatures[begin + part] ?? 0) & bits) !== bits) return false;
      }
      const text = texts[position] ?? '';
      for (const word of words) if (!text.includes(word)) return false;
      return true;
    };
  }
}

/** Sets the bits of a text; the factors are arbitrary odd numbers that mix well. */
function sign(text: string, signatures: Int32Array, begin: number): void {
  for (let at = 1; at < text.length; at++) {
    const pair = Math.imul(text.charCodeAt(at - 1), 0x9e3779b1) ^ Math.imul(text.charCodeAt(at), 0x85ebca6b);
    const bit = pair >>> 25; // 0 to 127
    const part = begin + (bit >>> 5);
    signatures[part] = (signatures[part] ?? 0) | (1 << (bit & 31));
  }
}

/** One part a line, so that no word matches across two; a part that another contains is omitted. */
function textOf({ repoId, task, license, modelName, authorName, recipes }: CatalogItem): string {
  const parts = [repoId, task, license];
  const more = [modelName, authorName, ...recipes.map(({ ggufFile }) => ggufFile ?? '')];
  for (const part of more) if (!parts.some((known) => known.includes(part))) parts.push(part);
  return lowerCase(parts.join('\n'));
}
