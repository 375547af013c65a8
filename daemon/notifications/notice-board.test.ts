import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NotificationsStatus } from '../contract/notifications/notifications.ts';
import { createLogger } from '../shared/logger.ts';
import { someNews } from '../testing/some-news.ts';
import { NoticeBoard, NoticeNotFound } from './notice-board.ts';

async function someBoard() {
  const folder = await mkdtemp(join(tmpdir(), 'notice-board-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'data', 'notifications.json');
  await mkdir(join(folder, 'data'));
  const published: NotificationsStatus[] = [];
  const logged: string[] = [];
  const create = () => {
    const board = new NoticeBoard({
      file,
      canMail: () => false,
      publish: (event) => {
        if (event.type === 'notifications.changed') published.push(event.notifications);
      },
      log: createLogger('error', (line) => logged.push(line)),
    });
    onTestFinished(() => board.close()); // before the folder is removed
    return board;
  };
  return { board: create(), create, file, published, logged };
}

test('news are counted, published, and still there after a restart', async () => {
  const { board, create, published } = await someBoard();
  await board.load();
  board.add(someNews());
  board.add(someNews());
  board.add(someNews({ kind: 'endpoint-running', title: 'lab/chat runs.' }));
  expect(published.map(({ unseen, revision, newest }) => [unseen, revision, newest?.title])).toEqual([
    [1, 1, 'lab/chat failed.'],
    [1, 2, 'lab/chat failed.'],
    [2, 3, 'lab/chat runs.'],
  ]);
  await board.close();
  const next = create();
  await next.load();
  expect(next.list).toEqual(board.list);
  expect(next.status).toEqual({ unseen: 2, revision: 0, newest: board.list[0], canMail: false });
});

test('one entry is seen, then all, then they are cleared; each is on the disk first', async () => {
  const { board, create, published } = await someBoard();
  const id = board.add(someNews());
  board.add(someNews({ kind: 'endpoint-running' }));
  expect((await board.markSeen(id)).map(({ seen }) => seen)).toEqual([false, true]);
  expect((await board.markAllSeen()).map(({ seen }) => seen)).toEqual([true, true]);
  expect(board.status).toMatchObject({ unseen: 0, newest: null });
  const stored = create();
  await stored.load();
  expect(stored.list).toEqual(board.list);
  expect(await board.clear()).toEqual([]);
  await stored.load();
  expect(stored.list).toEqual([]);
  await expect(board.markSeen(id)).rejects.toThrow(NoticeNotFound);
  const before = published.length;
  await board.markAllSeen();
  await board.clear();
  expect(published).toHaveLength(before);
});

test('news that come while a command is saved are neither seen nor lost', async () => {
  const { board, create } = await someBoard();
  board.add(someNews());
  const marked = board.markAllSeen();
  board.add(someNews({ kind: 'endpoint-running' }));
  await marked;
  expect(board.list.map(({ kind, seen }) => [kind, seen])).toEqual([
    ['endpoint-running', false],
    ['endpoint-failed', true],
  ]);
  const cleared = board.clear();
  board.add(someNews({ kind: 'endpoint-asleep' }));
  await cleared;
  await board.close();
  const next = create();
  await next.load();
  expect(next.list.map(({ kind }) => kind)).toEqual(['endpoint-asleep']);
});

test('many news at once are written in few writes', async () => {
  const { board, file } = await someBoard();
  for (let index = 0; index < 500; index += 1) {
    board.add(someNews({ endpoint: { namespace: 'lab', name: `chat-${index}` } }));
  }
  await board.close();
  expect(JSON.parse(await readFile(file, 'utf8')).notices).toHaveLength(200);
});

test('a damaged file is set aside', async () => {
  const { board, file, logged } = await someBoard();
  await writeFile(file, '{"notices":[{"id":7}]}');
  await board.load();
  expect(board.list).toEqual([]);
  expect(await readdir(join(file, '..'))).toEqual([expect.stringMatching(/^notifications\.json\.damaged-/)]);
  expect(logged[0]).toContain('is set aside');
});

test('if nothing can be saved, news are shown all the same, and a command is refused', async () => {
  const { board, file, logged } = await someBoard();
  await rm(join(file, '..'), { recursive: true });
  board.add(someNews());
  await board.close();
  expect(logged[0]).toContain('the notifications could not be saved');
  await expect(board.markAllSeen()).rejects.toThrow();
  expect(board.status.unseen).toBe(1);
});
