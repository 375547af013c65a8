import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { News } from '../../shared/news.ts';

/** News that a channel has not delivered: earlier ones of the same kind, or any of an hour with too many. */
export interface HeldBack {
  readonly count: number;
  /** The time of the first of them. */
  readonly since: Date;
  /** Their titles, if they are about other endpoints. */
  readonly titles?: readonly string[];
}

/** News with the same key are repetitions. */
export const newsKey = ({ kind, endpoint }: Pick<News, 'kind' | 'endpoint'>): string =>
  `${kind} ${endpointId(endpoint)}`;

/** `3 more since 14:02`, with the day if that is another one. */
export function heldText({ count, since }: HeldBack, now: Date): string {
  const isToday = since.toDateString() === now.toDateString();
  const time = since.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const day = since.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${count} more since ${isToday ? time : `${day}, ${time}`}`;
}

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
