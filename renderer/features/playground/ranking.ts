import { objectOf, type RawReply } from './model-request.ts';

export interface RankedDocument {
  /** The document's place in the request, from 0. */
  readonly index: number;
  readonly score: number;
}

/** The documents of a ranking, the most relevant first. @throws Error with a sentence */
export function rankingOf(reply: RawReply): readonly RankedDocument[] {
  const { results } = objectOf(reply);
  const ranked = (Array.isArray(results) ? results : []).flatMap(
    (each: { index?: unknown; relevance_score?: unknown; score?: unknown } | null) => {
      const score = each?.relevance_score ?? each?.score;
      return typeof each?.index === 'number' && typeof score === 'number' ? [{ index: each.index, score }] : [];
    },
  );
  if (ranked.length === 0) throw new Error('The endpoint answered with something else than a ranking.');
  return ranked.toSorted((a, b) => b.score - a.score);
}
