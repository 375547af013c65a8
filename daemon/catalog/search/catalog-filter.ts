import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { inBatches, scanInBatches } from './batches.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { ANY, Column } from './column.ts';
import { kindsAmong, kindsOf } from './recipe-kinds.ts';
import { lowerCase, SearchTexts, searchWords } from './search-texts.ts';

/** A filter of entries; all conditions must hold. An absent or empty condition always holds. */
export interface CatalogFilter {
  readonly search?: string | undefined;
  readonly task?: string | undefined;
  /** The complete license, ignoring case. */
  readonly license?: string | undefined;
  readonly author?: string | undefined;
  /** One recipe must have both this accelerator and the engine. */
  readonly accelerator?: Accelerator | undefined;
  readonly engine?: EngineType | undefined;
  /** Only entries known to fit. */
  readonly fits?: boolean | undefined;
}

/** The conditions of a filter that an entry misses, a bit each. */
export const MISSES = { task: 1, license: 2, author: 4, kind: 8 } as const;

export interface WalkOptions {
  /** By position, 1 for an entry that fits. */
  readonly fitting: Uint8Array;
  /** Whether to visit entries that miss exactly one condition. */
  readonly nearMisses: boolean;
}

/** The filterable values of each entry, by position. */
export class CatalogIndex {
  readonly size: number;
  readonly tasks: Column;
  readonly licenses: Column;
  readonly authors: Column;
  /** The kinds of an entry's recipes, as bits. */
  readonly kinds: Uint32Array;
  readonly #texts: SearchTexts;
  /** Scans run one after the other: several at once would block the event loop although each yields. */
  readonly #scans = new KeyedMutex();

  private constructor(size: number, texts: SearchTexts) {
    this.size = size;
    this.tasks = new Column(size);
    this.licenses = new Column(size, lowerCase);
    this.authors = new Column(size);
    this.kinds = new Uint32Array(size);
    this.#texts = texts;
  }

  static async build(entries: readonly CatalogEntry[]): Promise<CatalogIndex> {
    const index = new CatalogIndex(entries.length, await SearchTexts.build(entries));
    await inBatches(entries, ({ item }, position) => {
      index.tasks.set(position, item.task);
      index.licenses.set(position, item.license);
      index.authors.set(position, item.authorName);
      index.kinds[position] = kindsAmong(item.recipes);
    });
    return index;
  }

  /**
   * Visits the matching entries in order until a visit returns false.
   * @param visit gets the position and the missed conditions; 0: the entry matches
   */
  async walk(
    filter: CatalogFilter,
    { fitting, nearMisses }: WalkOptions,
    visit: (position: number, missed: number) => boolean,
  ): Promise<void> {
    const matchesSearch = this.#texts.matcher(searchWords(filter.search ?? ''));
    const missedBy = this.#missedBy(filter);
    const mustWait = this.#scans.isLocked('');
    const endScan = await this.#scans.acquire('');
    try {
      if (mustWait) await nextTurn();
      await scanInBatches(this.size, (position) => {
        if (filter.fits && fitting[position] !== 1) return true;
        const missed = missedBy(position);
        const isNear = nearMisses && (missed & (missed - 1)) === 0;
        if (missed !== 0 && !isNear) return true;
        return !matchesSearch(position) || visit(position, missed);
      });
    } finally {
      endScan();
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
