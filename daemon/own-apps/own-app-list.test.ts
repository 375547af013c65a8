import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { OwnApps } from '../contract/apps/own-apps.ts';
import { createLogger } from '../shared/logger.ts';
import { OwnAppNotFound } from './errors.ts';
import { ownAppId } from './own-app-folder.ts';
import { MAX_OWN_APPS, OwnAppList } from './own-app-list.ts';

let top: string;
let published: OwnApps[];
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'own-app-list-')));
  onTestFinished(() => rm(top, { recursive: true }));
  published = [];
});

async function opened(): Promise<OwnAppList> {
  const list = new OwnAppList({
    file: join(top, 'data', 'own-apps.json'),
    proposedFolder: '/home/me/robot-apps',
    canOpen: false,
    publish: (event) => event.type === 'own-apps.changed' && published.push(event.ownApps),
    now: () => new Date(0),
    log: createLogger('error', () => {}),
  });
  await list.load();
  return list;
}
async function folder(name: string): Promise<string> {
  await mkdir(join(top, name), { recursive: true });
  return join(top, name);
}
const names = (list: OwnAppList) => list.status.apps.map(({ folder }) => folder.slice(top.length + 1));
const space = {
  ...{ id: 'ann/a', url: 'https://hub/spaces/ann/a', private: true, version: '1' },
  publishedAt: '1970-01-01T00:00:00.000Z',
};

test('the app used last is first, each change is published, and a new daemon reads the same', async () => {
  await mkdir(join(top, 'data'));
  const list = await opened();
  for (const name of ['a', 'b', 'a']) await list.use(await folder(name));
  expect(names(list)).toEqual(['a', 'b']);
  expect(published.at(-1)).toEqual(list.status);
  await list.published(join(top, 'a'), { space, commit: null });
  await list.use(join(top, 'a'));
  await rm(join(top, 'b'), { recursive: true });
  const next = await opened();
  expect(next.status.apps).toMatchObject([
    { title: 'a', exists: true, space, check: null, run: { state: 'off' } },
    { title: 'b', exists: false, space: null },
  ]);
  await next.forget(ownAppId(join(top, 'b')));
  expect(names(await opened())).toEqual(['a']);
  expect(() => next.get(ownAppId(join(top, 'b')))).toThrow(OwnAppNotFound);
});

test('the list is bounded; what was used longest ago goes', async () => {
  await mkdir(join(top, 'data'));
  const list = await opened();
  for (let index = 0; index <= MAX_OWN_APPS; index++) await list.use(await folder(`${index}`));
  expect(list.status.apps).toHaveLength(MAX_OWN_APPS);
  expect(names(list).at(-1)).toBe('1');
});

test('a damaged list is set aside, and the next one is saved', async () => {
  await mkdir(join(top, 'data'));
  await writeFile(join(top, 'data', 'own-apps.json'), '{"apps":[{"folder":7}]}');
  const list = await opened();
  expect(names(list)).toEqual([]);
  await list.use(await folder('a'));
  expect(await readdir(join(top, 'data'))).toHaveLength(2);
  expect(names(await opened())).toEqual(['a']);
});

test('a list that cannot be saved stays as it was', async () => {
  const list = await opened();
  await writeFile(join(top, 'data'), 'in the place of the folder');
  await expect(list.use(await folder('a'))).rejects.toThrow();
  expect(names(list)).toEqual([]);
  expect(published).toEqual([]);
});
