import { objectOf, type RawReply } from './model-request.ts';

/** The text with which a model continues another one. @throws Error with a sentence */
export function continuationOf(reply: RawReply): string {
  const { choices } = objectOf(reply);
  const [first] = Array.isArray(choices) ? (choices as readonly ({ readonly text?: unknown } | null)[]) : [];
  if (typeof first?.text !== 'string') throw new Error('The endpoint answered with something else than a text.');
  return first.text;
}

interface Similarity {
  /** From -1 to 1; the cosine of the angle between the two vectors. */
  readonly cosine: number;
  readonly dimensions: number;
  readonly tookMs: number;
}

/** The similarity of the two texts of a request for embeddings. @throws Error with a sentence */
export function similarityOf(reply: RawReply): Similarity {
  const { data } = objectOf(reply);
  const vectors = Array.isArray(data)
    ? [...data].sort(byIndex).map((each: { embedding?: unknown }) => each?.embedding)
    : [];
  const [a, b] = vectors;
  if (!isVector(a) || !isVector(b) || a.length !== b.length) {
    throw new Error('The endpoint answered with something else than two embeddings.');
  }
  return { cosine: cosine(a, b), dimensions: a.length, tookMs: reply.tookMs };
}

export function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  const length = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return length === 0 ? 0 : Math.min(1, Math.max(-1, dot(a, b) / length));
}

const byIndex = (a: { index?: number }, b: { index?: number }): number => (a?.index ?? 0) - (b?.index ?? 0);

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number');
}

interface RankedDocument {
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
