import type { Response } from 'express';

/**
 * One page of a list; the `Link` header has the next page.
 * @param maxLimit the largest and the default size of a page
 */
export function pageOf<T>(items: readonly T[], res: Response, hubUrl: string, maxLimit: number): readonly T[] {
  const url = new URL(res.req.originalUrl, hubUrl);
  const limit = Math.min(Number(url.searchParams.get('limit') ?? maxLimit) || maxLimit, maxLimit);
  const cursor = url.searchParams.get('cursor');
  const start = cursor ? Number(Buffer.from(cursor, 'base64url').toString()) : 0;
  const end = start + limit;
  if (end < items.length) {
    url.searchParams.set('cursor', Buffer.from(String(end)).toString('base64url'));
    res.set('Link', `<${url.href}>; rel="next"`);
  }
  return items.slice(start, end);
}
