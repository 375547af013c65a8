import { expect, test } from 'vitest';
import type { Notice } from '../contract/notifications/notifications.ts';
import { createLogger } from '../shared/logger.ts';
import type { News } from '../shared/news.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { someNews } from '../testing/some-news.ts';
import type { HeldBack } from './news/news.ts';
import { withMail, withNews } from './news/notice-list.ts';
import type { Undelivered } from './news/repeated-delivery.ts';
import type { NoticeBoard } from './notice-board.ts';
import { Notifications, type Notifier, type PushNotice } from './notifications.ts';

const MINUTE = 60_000;

function someNotifications({ isSetUp = true, notifier }: { isSetUp?: boolean; notifier?: Notifier | null } = {}) {
  const clock = manualClock();
  const pushed: PushNotice[] = [];
  const mailed: { news: News; held: HeldBack | null }[] = [];
  const logged: string[] = [];
  let problem: string | null = null;
  let list: Notice[] = [];
  let lastId = 0;
  const board = {
    get list() {
      return list;
    },
    add(news: News) {
      lastId += 1;
      list = withNews(list, news, String(lastId));
      return list[0]?.id ?? '';
    },
    setMail(id: string, unsent: Undelivered | null) {
      list = [...withMail(list, id, unsent)];
    },
    load: async () => {},
    close: async () => {},
  } as unknown as NoticeBoard;
  const notifications = new Notifications({
    board,
    mailer: {
      isSetUp,
      load: async () => {},
      close: async () => {},
      sendNews: async (delivery) => {
        mailed.push(delivery);
        return problem === null ? null : { problem, isTemporary: false };
      },
    },
    notifier: notifier === undefined ? { show: (notice) => void pushed.push(notice) } : notifier,
    clock,
    log: createLogger('error', (line) => logged.push(line)),
  });
  const report = (more: Partial<News> = {}) => notifications.report(someNews({ at: clock.now(), ...more }));
  return {
    ...{ notifications, report, clock, pushed, mailed, logged },
    list: () => list,
    failWith: (why: string | null) => {
      problem = why;
    },
  };
}

test('news go where their owner wants them; a failure is in the bell in any case', () => {
  const { report, pushed, mailed, list } = someNotifications();
  const running = { kind: 'endpoint-running', title: 'lab/chat runs.', isFailure: false } as const;
  report({ ...running, wants: { push: false, email: false } });
  expect(list()).toEqual([]);
  report({ wants: { push: false, email: false } });
  expect([list().length, pushed.length, mailed.length]).toEqual([1, 0, 0]);
  report({ ...running, wants: { push: true, email: false } });
  expect([list().length, pushed.length, mailed.length]).toEqual([2, 1, 0]);
  report({ ...running, kind: 'endpoint-asleep', wants: { push: false, email: true } });
  expect([list().length, pushed.length, mailed.length]).toEqual([3, 1, 1]);
  expect(pushed[0]).toEqual({
    kind: 'endpoint-running',
    endpoint: { namespace: 'lab', name: 'chat' },
    title: 'lab/chat runs.',
    text: 'The model file is damaged. Download it again.',
  });
});

test('channels that are switched on after a failure hear of it, and the bell has it once', () => {
  const { report, mailed, list } = someNotifications();
  report({ wants: { push: false, email: false } });
  report({ isKnown: true, wants: { push: false, email: true } });
  expect([list().length, list()[0]?.times, mailed.length]).toEqual([1, 1, 1]);
});

test('a hundred failures in an hour are a few notifications and mails, which count the others', async () => {
  const { report, clock, pushed, mailed, list } = someNotifications();
  for (let index = 0; index < 100; index += 1) {
    report();
    await clock.advance(36_000);
  }
  await clock.advance(10 * MINUTE);
  expect(pushed.length).toBeLessThanOrEqual(7);
  expect(mailed.length).toBe(pushed.length);
  const reported = mailed.reduce((sum, { held }) => sum + 1 + (held?.count ?? 0), 0);
  expect(reported).toBe(100);
  expect(pushed[1]?.text).toMatch(/ \d+ more since \d\d:\d\d\.$/);
  expect(list()).toMatchObject([{ times: 100 }]);
  expect(clock.pending).toBe(0);
});

test('what was held back is delivered after ten minutes, if nothing else has happened to the endpoint', async () => {
  const { report, clock, mailed } = someNotifications();
  const kinds = () => mailed.map(({ news }) => news.kind);
  report();
  report({ kind: 'endpoint-running' });
  report();
  await clock.advance(0);
  expect(kinds()).toEqual(['endpoint-failed', 'endpoint-running']);
  await clock.advance(10 * MINUTE);
  expect(kinds()).toEqual(['endpoint-failed', 'endpoint-running', 'endpoint-failed']);
  report({ kind: 'endpoint-running' });
  report();
  report({ kind: 'endpoint-running' });
  await clock.advance(30 * MINUTE);
  expect(kinds().slice(3)).toEqual(['endpoint-running', 'endpoint-running']);
});

test('at most twenty mails an hour are sent; the next one names all others', async () => {
  const { notifications, report, clock, mailed, pushed } = someNotifications();
  const nameOf = (index: number) => ({ namespace: 'lab', name: `chat-${index}` });
  const begun = clock.now();
  for (let index = 0; index < 50; index += 1) {
    report({ endpoint: nameOf(index), title: `lab/chat-${index} failed.` });
  }
  expect([pushed.length, mailed.length]).toEqual([50, 20]);
  notifications.forget(nameOf(20));
  await clock.advance(59 * MINUTE);
  expect(mailed).toHaveLength(20);
  await clock.advance(2 * MINUTE);
  expect(mailed).toHaveLength(21);
  const titles = Array.from({ length: 28 }, (_, index) => `lab/chat-${index + 21} failed.`);
  expect(mailed[20]).toMatchObject({
    news: { endpoint: nameOf(49) },
    held: { count: 28, since: begun, titles },
  });
  report({ endpoint: nameOf(60) });
  expect(mailed).toHaveLength(22);
  expect(clock.pending).toBe(0);
});

test('nothing is reported about an endpoint that is gone', async () => {
  const { notifications, report, clock, mailed } = someNotifications();
  report();
  report();
  notifications.forget({ namespace: 'lab', name: 'chat' });
  expect(clock.pending).toBe(0);
  await clock.advance(20 * MINUTE);
  expect(mailed).toHaveLength(1);
});

test('a mail that fails is reported at its entry, and so is a missing mail server', async () => {
  const { report, failWith, clock, list } = someNotifications();
  failWith('Nothing answers at mail.example.org on port 587.');
  report();
  await clock.advance(0);
  expect(list()).toMatchObject([{ mailProblem: 'Nothing answers at mail.example.org on port 587.' }]);
  await clock.advance(10 * MINUTE);
  failWith(null);
  report();
  await clock.advance(0);
  expect(list()).toMatchObject([{ mailProblem: null }, {}]);
  const without = someNotifications({ isSetUp: false });
  without.report();
  expect(without.list()).toMatchObject([{ mailProblem: 'No mail server was set up.' }]);
  expect(without.mailed).toEqual([]);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('no bus');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no bus'))],
])('a notifier that %s disturbs nothing', async (_how, show) => {
  const { report, clock, mailed, logged } = someNotifications({ notifier: { show } });
  report();
  await clock.advance(0);
  expect(mailed).toHaveLength(1);
  expect(logged[0]).toContain('a notification could not be shown: Error: no bus');
});

test('without a notifier of the host the bell is enough', async () => {
  const { report, list } = someNotifications({ notifier: null });
  report();
  expect(list()).toHaveLength(1);
});

test('nothing is sent after the end', async () => {
  const { notifications, report, clock, mailed } = someNotifications();
  report();
  report();
  await notifications.close();
  expect(clock.pending).toBe(0);
  await clock.advance(20 * MINUTE);
  expect(mailed).toHaveLength(1);
});
