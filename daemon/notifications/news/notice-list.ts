import type { Notice } from '../../contract/notifications/notifications.ts';
import { type News, newsKey } from './news.ts';
import { REPETITION_MS } from './notice-limit.ts';

export const MAX_NOTICES = 200;

/**
 * The list with news on top, newest first. Repetitions within ten minutes are one entry, which counts them and is new
 * again; the oldest entries are dropped.
 * @param id of a new entry
 */
export function withNews(list: readonly Notice[], news: News, id: string): Notice[] {
  const { kind, endpoint, title, text } = news;
  const at = news.at.toISOString();
  const before = list.find((notice) => newsKey(notice) === newsKey(news));
  const repeated = before && Math.abs(Date.parse(before.at) - news.at.getTime()) < REPETITION_MS ? before : null;
  const notice: Notice = {
    id: repeated?.id ?? id,
    ...{ kind, endpoint, title, text, at },
    firstAt: repeated?.firstAt ?? at,
    times: (repeated?.times ?? 0) + 1,
    seen: false,
    mailProblem: repeated?.mailProblem ?? null,
  };
  return [notice, ...list.filter((each) => each !== repeated)].slice(0, MAX_NOTICES);
}

/** The list in which those entries are seen; the same list if they were. */
export function withSeen(list: readonly Notice[], isMeant: (notice: Notice) => boolean): readonly Notice[] {
  if (!list.some((notice) => !notice.seen && isMeant(notice))) return list;
  return list.map((notice) => (isMeant(notice) ? { ...notice, seen: true } : notice));
}

/** The list in which an entry says why its mail was not sent; null: it was. */
export const withMailProblem = (list: readonly Notice[], id: string, mailProblem: string | null): Notice[] =>
  list.map((notice) => (notice.id === id ? { ...notice, mailProblem } : notice));
