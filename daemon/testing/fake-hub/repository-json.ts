import type { HubRepository } from './hub-repository.ts';

type Json = Record<string, unknown>;

/** The hub's complete description of a repository, without its files. */
export function repositoryJson(repository: HubRepository): Json {
  const { facts, card, owner, sha, createdAt, lastModified } = repository;
  return {
    _id: repository.key,
    id: facts.id,
    author: owner,
    sha,
    lastModified,
    createdAt,
    private: facts.private ?? false,
    disabled: false,
    likes: facts.likes ?? 0,
    trendingScore: facts.likes ?? 0,
    tags: tagsOf(repository),
    cardData: card,
    ...(repository.kind === 'space' ? spaceOnly(repository) : modelOnly(repository)),
  };
}

function spaceOnly(space: HubRepository): Json {
  const { facts, card } = space;
  const sdk = facts.sdk ?? card['sdk'];
  return {
    title: titleOf(space),
    ...(sdk === undefined ? {} : { sdk }),
    runtime: { stage: 'RUNNING', hardware: { current: null, requested: null }, storage: null },
    subdomain: facts.id.replaceAll(/[^\w]/g, '-').toLowerCase(),
    models: [],
    datasets: [],
  };
}

function modelOnly({ facts, card }: HubRepository): Json {
  const task = card['pipeline_tag'];
  return {
    modelId: facts.id,
    gated: facts.gatedTo ? 'manual' : false,
    downloads: 0,
    ...(typeof task === 'string' ? { pipeline_tag: task } : {}),
    spaces: [],
  };
}

export function titleOf({ facts, card }: HubRepository): string {
  const ofCard = card['title'];
  return facts.title ?? (typeof ofCard === 'string' ? ofCard : (facts.id.split('/')[1] ?? ''));
}

export function tagsOf({ facts, card }: HubRepository): string[] {
  const ofCard = Array.isArray(card['tags']) ? card['tags'].map(String) : [];
  const sdk = facts.sdk ?? card['sdk'];
  return [...new Set([...(typeof sdk === 'string' ? [sdk] : []), ...(facts.tags ?? []), ...ofCard, 'region:us'])];
}

const BRIEF = ['_id', 'id', 'author', 'likes', 'trendingScore', 'private', 'sdk', 'tags', 'createdAt'];

/**
 * The requested part of a description: the fields in `expand`, else every field with `full`, else a few.
 * @param files lists its files, if requested
 */
export async function requestedJson(
  repository: HubRepository,
  query: URLSearchParams,
  full: boolean,
  files: () => Promise<readonly Json[]>,
): Promise<Json> {
  const all = repositoryJson(repository);
  const expand = [...query.getAll('expand'), ...query.getAll('expand[]')];
  const wanted = expand.length > 0 ? ['_id', 'id', ...expand] : full ? [...Object.keys(all), 'siblings'] : BRIEF;
  const json: Json = Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
  if (wanted.includes('siblings')) json['siblings'] = await files();
  return json;
}
