import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AppNeed } from '../../contract/apps/needs.ts';
import { appNamed, appsIn, haveInstalled } from '../../testing/apps/some-apps.ts';
import { NEEDS_FILE } from '../needs/app-needs.ts';
import { AppNotInstalled } from './errors.ts';
import type { InstalledApps } from './installed-apps.ts';

const chat = { name: 'chat', task: 'text-generation', optional: false } satisfies AppNeed;
const embed = { name: 'embed', task: 'feature-extraction', optional: true } satisfies AppNeed;
const talk = { ...chat, name: 'talk' };
const endpoint = { namespace: 'lab', name: 'small' };
const other = { namespace: 'lab', name: 'other' };
const rollback = { at: '2026-01-03T00:00:00Z', automatic: false, reason: 'You asked.' };

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'apps-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const version = (number: number, ...needs: AppNeed[]) =>
  appNamed('dance', { version: `${number}.0`, installedAt: `2026-01-0${number}T00:00:00Z`, needs });

/** The assigned endpoints by need. */
const assigned = (apps: InstalledApps) =>
  Object.fromEntries(apps.get('dance').needs.map((need) => [need.name, need.endpoint?.name ?? null]));

test('an assignment is kept over a restart, until it is removed', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  await haveInstalled(apps, version(1, chat, embed));
  expect(assigned(apps)).toEqual({ chat: null, embed: null });
  await apps.assign('dance', 'chat', endpoint);
  expect((await appsIn(path)).get('dance').needs).toEqual([
    { ...chat, endpoint },
    { ...embed, endpoint: null },
  ]);
  await apps.assign('dance', 'embed', other);
  await apps.assign('dance', 'chat', null);
  expect(assigned(await appsIn(path))).toEqual({ chat: null, embed: 'other' });
});

test('an update that drops, renames or adds needs keeps the others, and a rollback has its own again', async () => {
  const apps = await appsIn(await folder());
  await haveInstalled(apps, version(1, chat, embed));
  await apps.assign('dance', 'chat', endpoint);
  await apps.assign('dance', 'embed', other);
  await haveInstalled(apps, version(2, talk, embed));
  expect(assigned(apps)).toEqual({ talk: null, embed: 'other' });
  await apps.assign('dance', 'talk', other);
  await apps.rollBack('dance', rollback);
  expect(assigned(apps)).toEqual({ chat: 'small', embed: 'other' });
  await apps.rollBack('dance', rollback);
  expect(assigned(apps)).toEqual({ talk: 'other', embed: 'other' });
});

test('needs that no kept version has are dropped from the file', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  await haveInstalled(apps, version(1, chat));
  await apps.assign('dance', 'chat', endpoint);
  await haveInstalled(apps, version(2, talk));
  await haveInstalled(apps, version(3, talk));
  await apps.assign('dance', 'talk', other);
  const file = join(path, 'apps', 'dance', NEEDS_FILE);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ needs: [{ name: 'talk', endpoint: other }] });
});

test('assignments at once are all kept, and go with the app', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  const needs = Array.from({ length: 8 }, (_, index) => ({ ...chat, name: `n${index}` }));
  await haveInstalled(apps, version(1, ...needs));
  await Promise.all(needs.map(({ name }) => apps.assign('dance', name, endpoint)));
  expect(Object.values(assigned(await appsIn(path)))).toEqual(Array(8).fill('small'));
  await apps.remove('dance');
  await expect(apps.assign('dance', 'n0', endpoint)).rejects.toThrow(AppNotInstalled);
  await haveInstalled(apps, version(1, ...needs));
  expect(Object.values(assigned(apps))).toEqual(Array(8).fill(null));
});

test('an assignment during a removal leaves nothing behind', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  await haveInstalled(apps, version(1, chat));
  const [assignment] = await Promise.allSettled([apps.assign('dance', 'chat', endpoint), apps.remove('dance')]);
  if (assignment.status === 'rejected') expect(assignment.reason).toBeInstanceOf(AppNotInstalled);
  expect(await readdir(join(path, 'apps'))).toEqual([]);
  await haveInstalled(apps, version(1, chat));
  expect(assigned(apps)).toEqual({ chat: null });
});

test.each([['{"needs":'], ['[]'], ['{"needs":[{"name":"CHAT","endpoint":{}}]}'], ['']])(
  'a damaged file (%s) is set aside, and the app stays',
  async (damage) => {
    const path = await folder();
    const apps = await appsIn(path);
    await haveInstalled(apps, version(1, chat));
    await writeFile(join(path, 'apps', 'dance', NEEDS_FILE), damage);
    const again = await appsIn(path);
    expect(assigned(again)).toEqual({ chat: null });
    const names = await readdir(join(path, 'apps', 'dance'));
    expect(names.filter((name) => name.startsWith(`${NEEDS_FILE}.damaged-`))).toHaveLength(1);
    await again.assign('dance', 'chat', endpoint);
    expect(assigned(await appsIn(path))).toEqual({ chat: 'small' });
  },
);
