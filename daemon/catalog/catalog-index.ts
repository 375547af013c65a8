import type { Accelerator, EngineType } from '../contract/catalog.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { ANY, Column } from './column.ts';
import { inSteps } from './in-steps.ts';
import { kindsAmong, kindsOf } from './recipe-kinds.ts';
import { lowerCase, SearchIndex, searchWords } from './search-index.ts';

/** What entries are narrowed down to; all of it must hold. What is absent or empty narrows nothing. */
export interface CatalogFilter {
  readonly search?: string | undefined;
  readonly task?: string | undefined;
  /** The whole licence, in any case. */
  readonly license?: string | undefined;
  readonly author?: string | undefined;
  /** Holds for one recipe together with the engine. */
  readonly accelerator?: Accelerator | undefined;
  readonly engine?: EngineType | undefined;
  /** Only entries that are known to fit. */
  readonly fits?: boolean | undefined;
}

/** What an entry misses of a filter, a bit each. */
export const MISSES = { task: 1, license: 2, author: 4, kind: 8 } as const;

export interface WalkOptions {
  /** By position, 1 for what fits. */
  readonly fitting: Uint8Array;
  /** Whether entries are visited too that miss one thing. */
  readonly nearMisses: boolean;
}

/** Each entry as what filters compare, by position. */
export class CatalogIndex {
  readonly size: number;
  readonly tasks: Column;
  readonly licenses: Column;
  readonly authors: Column;
  /** The kinds of an entry's recipes, as bits. */
  readonly kinds: Uint32Array;
  readonly #search: SearchIndex;

  private constructor(size: number, search: SearchIndex) {
    this.size = size;
    this.tasks = new Column(size);
    this.licenses = new Column(size, lowerCase);
    this.authors = new Column(size);
    this.kinds = new Uint32Array(size);
    this.#search = search;
  }

  static async build(entries: readonly CatalogEntry[]): Promise<CatalogIndex> {
    const index = new CatalogIndex(entries.length, await SearchIndex.build(entries));
    await inSteps(entries, ({ item }, position) => {
      index.tasks.set(position, item.task);
      index.licenses.set(position, item.license);
      index.authors.set(position, item.authorName);
      index.kinds[position] = kindsAmong(item.recipes);
    });
    return index;
  }

  /**
   * Visits, in order, what a filter leaves, until a visit returns false.
   * @param visit is told the position and what the entry misses: 0 when it matches
   */
  walk(filter: CatalogFilter, options: WalkOptions, visit: (position: number, missed: number) => boolean): void {
    const words = searchWords(filter.search ?? '');
    const candidates = this.#search.candidates(words);
    const missedBy = this.#missedBy(filter);
    const count = candidates?.length ?? this.size;
    for (let at = 0; at < count; at++) {
      const position = candidates?.[at] ?? at;
      if (filter.fits && options.fitting[position] !== 1) continue;
      const missed = missedBy(position);
      const isNear = options.nearMisses && (missed & (missed - 1)) === 0;
      if (missed !== 0 && !isNear) continue;
      if (this.#search.holds(position, words) && !visit(position, missed)) return;
    }
  }

  #missedBy({ task, license, author, accelerator, engine }: CatalogFilter): (position: number) => number {
    const [tasks, licenses, authors, kinds] = [this.tasks.codes, this.licenses.codes, this.authors.codes, this.kinds];
    const wantedTask = this.tasks.wanted(task);
    const wantedLicense = this.licenses.wanted(license);
    const wantedAuthor = this.authors.wanted(author);
    const wantedKinds = accelerator || engine ? kindsOf(accelerator, engine) : ANY;
    return (position) =>
      (wantedTask === ANY || tasks[position] === wantedTask ? 0 : MISSES.task) |
      (wantedLicense === ANY || licenses[position] === wantedLicense ? 0 : MISSES.license) |
      (wantedAuthor === ANY || authors[position] === wantedAuthor ? 0 : MISSES.author) |
      (wantedKinds === ANY || ((kinds[position] ?? 0) & wantedKinds) !== 0 ? 0 : MISSES.kind);
  }
}
