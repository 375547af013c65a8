import type { CatalogItem } from '../contract/catalog.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { inSteps } from './in-steps.ts';

/** What one search looks for: every one of these, anywhere in an item's text. */
export type SearchWords = readonly string[];

/** So many characters in a row, and every fewer, are known by the texts that hold them. */
const LONGEST = 3;
const MOST_BITS = 18;
const LEAST_BITS = 8;

/** As people type it, without upper case; its words are what white space leaves. */
export function searchWords(search: string): SearchWords {
  return lowerCase(search).split(/\s+/).filter(Boolean);
}

export function lowerCase(text: string): string {
  return text.toLocaleLowerCase('en-US');
}

/**
 * The texts of a catalog's items, prepared once to be searched often: of every few characters in a row it is known which
 * texts hold them, so that a word is looked for only where its rarest part is. Different parts may share a list; that
 * makes a list longer and no answer wrong, since every word is looked for in the text itself.
 */
export class SearchIndex {
  readonly #texts: readonly string[];
  readonly #parts: Parts;

  private constructor(texts: readonly string[], parts: Parts) {
    this.#texts = texts;
    this.#parts = parts;
  }

  static async build(entries: readonly CatalogEntry[]): Promise<SearchIndex> {
    const texts: string[] = [];
    await inSteps(entries, ({ item }) => void texts.push(textOf(item)));
    return new SearchIndex(texts, await partsOf(texts));
  }

  /** Where all words could be, in order; null: there are no words. */
  candidates(words: SearchWords): Uint32Array | null {
    let fewest: Uint32Array | null = null;
    for (const word of words) {
      const length = Math.min(word.length, LONGEST);
      for (let at = 0; at + length <= word.length; at++) {
        const holders = this.#parts.holders(word, at, length);
        if (fewest === null || holders.length < fewest.length) fewest = holders;
      }
    }
    return fewest;
  }

  holds(position: number, words: SearchWords): boolean {
    const text = this.#texts[position] ?? '';
    for (const word of words) if (!text.includes(word)) return false;
    return true;
  }
}

/** Which texts hold which few characters: the lists of all of them, one after the other. */
class Parts {
  readonly #bits: number;
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;

  constructor(bits: number, starts: Uint32Array, positions: Uint32Array) {
    this.#bits = bits;
    this.#starts = starts;
    this.#positions = positions;
  }

  holders(text: string, at: number, length: number): Uint32Array {
    const list = listOf(text, at, length, this.#bits);
    return this.#positions.subarray(this.#starts[list], this.#starts[list + 1]);
  }
}

/** Counts how long each list is going to be, then fills them: in the order of the texts, each text once. */
async function partsOf(texts: readonly string[]): Promise<Parts> {
  const bits = Math.max(LEAST_BITS, Math.min(MOST_BITS, Math.ceil(Math.log2(texts.length * 8 + 1))));
  const lists = 2 ** bits;
  const lastText = new Uint32Array(lists);
  const eachList = async (then: (list: number, text: number) => void) => {
    lastText.fill(0);
    await inSteps(texts, (text, index) => {
      for (let at = 0; at < text.length; at++) {
        for (let length = 1; length <= LONGEST && at + length <= text.length; length++) {
          const list = listOf(text, at, length, bits);
          if (lastText[list] === index + 1) continue;
          lastText[list] = index + 1;
          then(list, index);
        }
      }
    });
  };
  const starts = new Uint32Array(lists + 1);
  await eachList((list) => {
    starts[list + 1] = (starts[list + 1] ?? 0) + 1;
  });
  for (let list = 0; list < lists; list++) starts[list + 1] = (starts[list + 1] ?? 0) + (starts[list] ?? 0);
  const ends = starts.slice();
  const positions = new Uint32Array(starts[lists] ?? 0);
  await eachList((list, text) => {
    const end = ends[list] ?? 0;
    positions[end] = text;
    ends[list] = end + 1;
  });
  return new Parts(bits, starts, positions);
}

/** The list of those few characters; the factors only have to mix well. */
function listOf(text: string, at: number, length: number, bits: number): number {
  const second = length > 1 ? text.charCodeAt(at + 1) : 0;
  const third = length > 2 ? text.charCodeAt(at + 2) : 0;
  const mixed =
    Math.imul(text.charCodeAt(at), 0x9e3779b1) + Math.imul(second, 0x85ebca6b) + Math.imul(third, 0xc2b2ae35);
  return (mixed | 0) >>> (32 - bits);
}

/** What is searched of an item, one part a line, so that no word is found across two; none that another one holds. */
function textOf({ repoId, task, license, modelName, authorName, recipes }: CatalogItem): string {
  const parts = [repoId, task, license];
  const more = [modelName, authorName, ...recipes.map(({ ggufFile }) => ggufFile ?? '')];
  for (const part of more) if (!parts.some((known) => known.includes(part))) parts.push(part);
  return lowerCase(parts.join('\n'));
}
