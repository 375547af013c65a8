/** News that are mailed while the mail server is not there, busy, or against it; on a real one, with waits that are moved. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import type { News } from '../shared/news.ts';
import { type MailServerChoices, startMailServer } from '../testing/mail/mail-server-for-tests.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { backwards } from '../testing/models/some-endpoints.ts';
import { someNews } from '../testing/some-news.ts';
import { MailRecord } from './mail/mail-record.ts';
import { Mailer } from './mail/mailer.ts';
import { NoticeBoard } from './notice-board.ts';
import { MAIL_WAITS_MS, Notifications } from './notifications.ts';

const MINUTE = 60_000;

async function someNotifications(port: number) {
  const folder = await mkdtemp(join(tmpdir(), 'mail-retry-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = manualClock();
  const log = createLogger('error', () => {});
  const file = join(folder, 'mail.json');
  const mailer = new Mailer({
    record: new MailRecord({ file, secrets: backwards, log }),
    // Its limit is for a real server, which does not follow the moved clock.
    ...{ machine: 'lab-pc', onChanged: () => {}, clock: systemClock, log },
  });
  const createBoard = () =>
    new NoticeBoard({ file: join(folder, 'notices.json'), canMail: () => true, publish: () => {}, log });
  const board = createBoard();
  const notifications = new Notifications({ board, mailer, notifier: null, clock, log });
  await notifications.load();
  await mailer.set({
    ...{ host: '127.0.0.1', port, security: 'none', user: null },
    ...{ from: 'robot@example.org', to: 'ada@example.org' },
  });
  onTestFinished(() => notifications.close());
  const report = (more: Partial<News> = {}) => notifications.report(someNews({ at: clock.now(), ...more }));
  const mailOf = () => board.list.map(({ mailProblem, mailAgainAt }) => [mailProblem, mailAgainAt]);
  return { notifications, clock, board, createBoard, report, mailOf };
}

async function started(choices: MailServerChoices = {}) {
  const server = await startMailServer(choices);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** Refuses so many recipients with a code, then takes mail. */
function refusing(times: number, responseCode: number) {
  let tries = 0;
  const onRcptTo = (_to: unknown, _session: unknown, done: (error?: Error) => void) => {
    tries += 1;
    done(tries <= times ? Object.assign(new Error('not now'), { responseCode }) : undefined);
  };
  return { choices: { more: { onRcptTo } as never }, tries: () => tries };
}

async function freePort(): Promise<number> {
  const server = await startMailServer();
  await server[Symbol.asyncDispose]();
  return server.port;
}

test('a mail to a server that was not there is sent once it is; the bell says so meanwhile', async () => {
  const port = await freePort();
  const { clock, report, mailOf } = await someNotifications(port);
  report();
  const nothing = `Nothing answers at 127.0.0.1 on port ${port}. Check the server and the port in Settings, under Mail.`;
  await vi.waitFor(() => expect(mailOf()).toEqual([[nothing, new Date(clock.now().getTime() + MINUTE).toISOString()]]));
  const server = await started({ port });
  await clock.advance(MINUTE);
  await vi.waitFor(() => expect(mailOf()).toEqual([[null, null]]));
  expect(server.mails.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1])).toEqual(['lab/chat failed (lab-pc)']);
  expect(clock.pending).toBe(0);
});

test('a server that takes no mail for the moment is asked a few times, then the bell says that it was not sent', async () => {
  const { choices, tries } = refusing(100, 451);
  const server = await started(choices);
  const { clock, report, mailOf } = await someNotifications(server.port);
  report();
  for (const [index, waitMs] of MAIL_WAITS_MS.entries()) {
    await vi.waitFor(() => expect([tries(), mailOf()[0]?.[1]]).toEqual([index + 1, expect.any(String)]));
    await clock.advance(waitMs - 1);
    expect(tries()).toBe(index + 1);
    await clock.advance(1);
  }
  const said = '127.0.0.1 does not take the mail now (it says: 451 not now). It was tried 5 times.';
  await vi.waitFor(() => expect(mailOf()).toEqual([[said, null]]));
  expect([tries(), clock.pending, server.mails]).toEqual([5, 0, []]);
});

test('a refused recipient is asked once', async () => {
  const { choices, tries } = refusing(100, 550);
  const { clock, report, mailOf } = await someNotifications((await started(choices)).port);
  report();
  await vi.waitFor(() =>
    expect(mailOf()).toEqual([[expect.stringMatching(/^127\.0\.0\.1 refuses mail to ada@example\.org/), null]]),
  );
  expect([tries(), clock.pending]).toEqual([1, 0]);
});

test('the tries of a mail count once among the mails of an hour', async () => {
  const { choices, tries } = refusing(3, 450);
  const server = await started(choices);
  const { clock, report } = await someNotifications(server.port);
  const about = (index: number) => ({ endpoint: { namespace: 'lab', name: `chat-${index}` } });
  report(about(0));
  for (let index = 1; index <= 3; index += 1) {
    await vi.waitFor(() => expect([tries(), clock.pending]).toEqual([index, 1]));
    await clock.advance(MAIL_WAITS_MS[index - 1] ?? 0);
  }
  await vi.waitFor(() => expect(server.mails).toHaveLength(1));
  for (let index = 1; index <= 19; index += 1) report(about(index));
  await vi.waitFor(() => expect(server.mails).toHaveLength(20));
});

test('the end of the daemon ends the waits, and the bell says so, also after one that was killed', async () => {
  const port = await freePort();
  const { notifications, clock, board, createBoard, report, mailOf } = await someNotifications(port);
  report();
  await vi.waitFor(() => expect(mailOf()).toEqual([[expect.any(String), expect.any(String)]]));
  await board.close();
  const afterKill = createBoard();
  await afterKill.load();
  await notifications.close();
  expect(clock.pending).toBe(0);
  const afterEnd = createBoard();
  await afterEnd.load();
  for (const { list } of [afterKill, afterEnd]) {
    expect(list).toMatchObject([
      {
        mailProblem: expect.stringMatching(/^Nothing answers .* The daemon ended before the next try\.$/),
        mailAgainAt: null,
      },
    ]);
  }
});

test('a later failure of the endpoint ends the wait of the entry before it', async () => {
  const port = await freePort();
  const { clock, report, mailOf } = await someNotifications(port);
  report();
  await vi.waitFor(() => expect(mailOf()).toEqual([[expect.any(String), expect.any(String)]]));
  await clock.advance(MINUTE); // the second try fails too
  await vi.waitFor(() => expect(clock.pending).toBe(1));
  await clock.advance(4 * MINUTE);
  const server = await started({ port });
  await clock.advance(20 * MINUTE);
  await vi.waitFor(() => expect(server.mails).toHaveLength(1));
  await vi.waitFor(() => expect(mailOf()).toEqual([[null, null]]));
  report();
  await vi.waitFor(() => expect(server.mails).toHaveLength(2));
  await vi.waitFor(() =>
    expect(mailOf()).toEqual([
      [null, null],
      [null, null],
    ]),
  );
});
