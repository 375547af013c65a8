import type { HeldBack, News } from './news.ts';

/** News for one delivery, with those that it stands for. */
export interface Delivery {
  readonly news: News;
  readonly held: HeldBack | null;
}

/** One delivery in the place of several: the newest, with the others named. @param deliveries oldest first, at least one */
export function heldTogether(deliveries: readonly [...Delivery[], Delivery]): Delivery {
  const newest = deliveries.at(-1) as Delivery;
  const others = deliveries.slice(0, -1);
  if (others.length === 0) return newest;
  const count = others.reduce((sum, { held }) => sum + 1 + (held?.count ?? 0), newest.held?.count ?? 0);
  const times = [...others, ...(newest.held ? [newest] : [])].map(({ news, held }) => held?.since ?? news.at);
  const since = new Date(Math.min(...times.map((time) => time.getTime())));
  const titles = deliveries.flatMap((each) => [
    ...(each.held?.titles ?? []),
    ...(each === newest ? [] : [each.news.title]),
  ]);
  return { news: newest.news, held: { count, since, titles } };
}
