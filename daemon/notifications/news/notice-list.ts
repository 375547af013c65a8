import type { Notice } from '../../contract/notifications/notifications.ts';
import type { News } from '../../shared/news.ts';
import { REPETITION_MS } from './delivery-limits.ts';
import { newsKey } from './news.ts';
import { ENDED_BEFORE_TRY, type Undelivered } from './repeated-delivery.ts';

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
    mailAgainAt: repeated?.mailAgainAt ?? null,
  };
  return [notice, ...list.filter((each) => each !== repeated)].slice(0, MAX_NOTICES);
}

/** The list in which those entries are seen; the same list if they were. */
export function withSeen(list: readonly Notice[], isMeant: (notice: Notice) => boolean): readonly Notice[] {
  if (!list.some((notice) => !notice.seen && isMeant(notice))) return list;
  return list.map((notice) => (isMeant(notice) ? { ...notice, seen: true } : notice));
}

/** The list in which an entry says why its mail was not sent, and when it is sent again; null: it was. The same list if it did. */
export function withMail(list: readonly Notice[], id: string, unsent: Undelivered | null): readonly Notice[] {
  const mailProblem = unsent?.problem ?? null;
  const mailAgainAt = unsent?.againAt?.toISOString() ?? null;
  const isMeant = (notice: Notice) =>
    notice.id === id && (notice.mailProblem !== mailProblem || notice.mailAgainAt !== mailAgainAt);
  if (!list.some(isMeant)) return list;
  return list.map((notice) => (isMeant(notice) ? { ...notice, mailProblem, mailAgainAt } : notice));
}

/** The entries of a daemon that has ended: it sends no mail again. */
export const withoutTries = (list: readonly Notice[]): readonly Notice[] =>
  list.map((notice) =>
    notice.mailAgainAt === null
      ? notice
      : { ...notice, mailAgainAt: null, mailProblem: `${notice.mailProblem ?? ''} ${ENDED_BEFORE_TRY}`.trim() },
  );
