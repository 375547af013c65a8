import type { HubRepository } from './hub-repository.ts';
import { repositoryJson, tagsOf, titleOf } from './repository-json.ts';

/** Finds and sorts spaces by a query: `filter` (required tags), `search`, `author`, `sort`, `direction`. */
export function searchSpaces(spaces: readonly HubRepository[], query: URLSearchParams): HubRepository[] {
  const tags = query.getAll('filter').flatMap((filter) => filter.split(','));
  const text = query.get('search')?.toLowerCase() ?? '';
  const author = query.get('author');
  const found = spaces.filter((space) => {
    const has = tagsOf(space);
    const name = `${space.facts.id} ${titleOf(space)}`.toLowerCase();
    return tags.every((tag) => has.includes(tag)) && name.includes(text) && (!author || author === space.owner);
  });
  const field = query.get('sort') ?? 'trendingScore';
  const sign = query.get('direction') === '1' ? 1 : -1;
  const ranked = found.map((space) => ({ space, rank: repositoryJson(space)[field === 'likes30d' ? 'likes' : field] }));
  ranked.sort((a, b) => sign * compare(a.rank, b.rank) || compare(a.space.facts.id, b.space.facts.id));
  return ranked.map(({ space }) => space);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
