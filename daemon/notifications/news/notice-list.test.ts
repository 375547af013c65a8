import { expect, test } from 'vitest';
import type { Notice } from '../../contract/notifications/notifications.ts';
import type { News } from '../../shared/news.ts';
import { someNews } from '../../testing/some-news.ts';
import { MAX_NOTICES, withMail, withNews, withoutTries, withSeen } from './notice-list.ts';

const at = (minutes: number) => new Date(Date.parse('2026-11-21T14:00:00.000Z') + minutes * 60_000);
const listOf = (...news: News[]) =>
  news.reduce<Notice[]>((list, each, index) => withNews(list, each, `id-${index}`), []);

test('news come on top, unseen', () => {
  const list = listOf(
    someNews({ at: at(0) }),
    someNews({ kind: 'endpoint-running', title: 'lab/chat runs.', at: at(1) }),
  );
  expect(list.map(({ id, title, seen, times }) => [id, title, seen, times])).toEqual([
    ['id-1', 'lab/chat runs.', false, 1],
    ['id-0', 'lab/chat failed.', false, 1],
  ]);
});

test('repetitions within ten minutes are one entry, which is new again and moves to the top', () => {
  const first = withSeen(
    listOf(someNews({ at: at(0) }), someNews({ kind: 'endpoint-running', at: at(1) })),
    () => true,
  );
  const list = withNews(
    withMail(first, 'id-0', { problem: 'No.', againAt: null }),
    someNews({ at: at(9), text: 'Now this.' }),
    'id-2',
  );
  expect(list).toMatchObject([
    {
      id: 'id-0',
      times: 2,
      firstAt: at(0).toISOString(),
      at: at(9).toISOString(),
      seen: false,
      text: 'Now this.',
      mailProblem: 'No.',
    },
    { id: 'id-1', times: 1, seen: true },
  ]);
  expect(withNews(list, someNews({ at: at(19) }), 'id-3')).toMatchObject([
    { id: 'id-3', times: 1 },
    { id: 'id-0' },
    {},
  ]);
});

test('endpoints of one name in two namespaces are two', () => {
  const other = someNews({ endpoint: { namespace: 'home', name: 'chat' } });
  expect(listOf(someNews(), other)).toHaveLength(2);
});

test('the oldest entries are dropped', () => {
  const list = listOf(...Array.from({ length: MAX_NOTICES + 5 }, (_, index) => someNews({ at: at(index * 20) })));
  expect(list).toHaveLength(MAX_NOTICES);
  expect([list[0]?.id, list.at(-1)?.id]).toEqual([`id-${MAX_NOTICES + 4}`, 'id-5']);
});

test('a list in which nothing changes is the same list', () => {
  const seen = withSeen(listOf(someNews()), () => true);
  expect(withSeen(seen, () => true)).toBe(seen);
});

test('an entry says why its mail was not sent and when it is sent again; the tries end with their daemon', () => {
  const list = listOf(someNews(), someNews({ kind: 'endpoint-running' }));
  const waiting = withMail(list, 'id-0', { problem: 'Nothing answers.', againAt: at(5) });
  expect(waiting[1]).toMatchObject({ mailProblem: 'Nothing answers.', mailAgainAt: at(5).toISOString() });
  expect(withMail(waiting, 'id-0', { problem: 'Nothing answers.', againAt: at(5) })).toBe(waiting);
  expect(withoutTries(waiting)).toEqual([
    list[0],
    { ...list[1], mailProblem: 'Nothing answers. The daemon ended before the next try.', mailAgainAt: null },
  ]);
  expect(withMail(waiting, 'id-0', null)).toEqual(list);
});
