import type { Space } from './space.ts';

type Json = Record<string, unknown>;

/** The hub's complete description of a space, without its files. */
export function spaceJson(space: Space): Json {
  const { facts, card, owner, sha, createdAt, lastModified } = space;
  const sdk = facts.sdk ?? card['sdk'];
  return {
    _id: space.key,
    id: facts.id,
    author: owner,
    sha,
    lastModified,
    createdAt,
    private: facts.private ?? false,
    disabled: false,
    likes: facts.likes ?? 0,
    trendingScore: facts.likes ?? 0,
    title: titleOf(space),
    tags: tagsOf(space),
    cardData: card,
    ...(sdk === undefined ? {} : { sdk }),
    runtime: { stage: 'RUNNING', hardware: { current: null, requested: null }, storage: null },
    subdomain: facts.id.replaceAll(/[^\w]/g, '-').toLowerCase(),
    models: [],
    datasets: [],
  };
}

export function titleOf({ facts, card }: Space): string {
  const ofCard = card['title'];
  return facts.title ?? (typeof ofCard === 'string' ? ofCard : (facts.id.split('/')[1] ?? ''));
}

export function tagsOf({ facts, card }: Space): string[] {
  const ofCard = Array.isArray(card['tags']) ? card['tags'].map(String) : [];
  const sdk = facts.sdk ?? card['sdk'];
  return [...new Set([...(typeof sdk === 'string' ? [sdk] : []), ...(facts.tags ?? []), ...ofCard, 'region:us'])];
}

const BRIEF = ['_id', 'id', 'author', 'likes', 'trendingScore', 'private', 'sdk', 'tags', 'createdAt'];

/**
 * The requested part of a description: the fields in `expand`, else every field with `full`, else a few.
 * @param files lists the space's files, if requested
 */
export async function requestedJson(
  space: Space,
  query: URLSearchParams,
  full: boolean,
  files: () => Promise<readonly Json[]>,
): Promise<Json> {
  const all = spaceJson(space);
  const expand = [...query.getAll('expand'), ...query.getAll('expand[]')];
  const wanted = expand.length > 0 ? ['_id', 'id', ...expand] : full ? [...Object.keys(all), 'siblings'] : BRIEF;
  const json: Json = Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
  if (wanted.includes('siblings')) json['siblings'] = await files();
  return json;
}
