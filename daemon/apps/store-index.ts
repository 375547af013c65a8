import type { StoreApp, StoreSort } from '../contract/apps/store.ts';

/** Newest first; without a date last. */
const byDate = (a: string | null, b: string | null) => (b ?? '').localeCompare(a ?? '');
const byId = (a: StoreApp, b: StoreApp) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const comparators: Readonly<Record<StoreSort, (a: StoreApp, b: StoreApp) => number>> = {
  popular: (a, b) => b.likes - a.likes || byDate(a.updatedAt, b.updatedAt) || byId(a, b),
  recent: (a, b) => byDate(a.createdAt, b.createdAt) || byId(a, b),
  updated: (a, b) => byDate(a.updatedAt, b.updatedAt) || byId(a, b),
};

/** The apps of the store, with texts and sort orders prepared for searches. */
export class StoreIndex {
  readonly apps: readonly StoreApp[];
  /** Of each app, for searches; made at the first one. */
  #texts: ReadonlyMap<StoreApp, string> | null = null;
  readonly #sorted = new Map<StoreSort, readonly StoreApp[]>();

  constructor(apps: readonly StoreApp[]) {
    this.apps = apps;
  }

  /** The apps that contain every word of a search. The sort order is total, so that pages are consistent. */
  find(search: string, sort: StoreSort): readonly StoreApp[] {
    const sorted = this.#sorted.get(sort) ?? this.apps.toSorted(comparators[sort]);
    this.#sorted.set(sort, sorted);
    const words = normalized(search).split(' ').filter(Boolean);
    if (words.length === 0) return sorted;
    this.#texts ??= new Map(this.apps.map((app) => [app, textOf(app)]));
    const texts = this.#texts;
    return sorted.filter((app) => words.every((word) => texts.get(app)?.includes(word)));
  }
}

const textOf = ({ id, title, description, author }: StoreApp) => normalized([id, title, description, author].join(' '));

/** The text in lower case without accents. */
function normalized(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** One page of a list, counted from 1; empty beyond the last page. */
export function pageOf<T>(found: readonly T[], page: number, limit: number): { apps: T[]; pages: number } {
  return { apps: found.slice((page - 1) * limit, page * limit), pages: Math.ceil(found.length / limit) };
}
