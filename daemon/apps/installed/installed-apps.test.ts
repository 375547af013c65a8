import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { appNamed, appsIn, haveInstalled } from '../../testing/apps/some-apps.ts';
import { AppNotInstalled, NoPreviousVersion } from './errors.ts';
import type { InstalledApps } from './installed-apps.ts';

const dance = appNamed('dance');
const requestedByUser = { at: '2026-01-03T00:00:00Z', automatic: false, reason: 'You asked.' };

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'apps-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('an environment that became live can no longer be discarded', async () => {
  const apps = await appsIn(await folder());
  const environment = await apps.newEnvironment('dance');
  await mkdir(environment.dir);
  await environment.switchTo(dance);
  await environment.discard();
  expect(await readdir(join(environment.dir, '..'))).toHaveLength(1);
});

test('a first install that fails leaves no trace', async () => {
  const path = await folder();
  const environment = await (await appsIn(path)).newEnvironment('dance');
  await mkdir(environment.dir);
  await environment.discard();
  expect(await readdir(join(path, 'apps'))).toEqual([]);
});

test('a first install that was killed while it wrote the record leaves no trace for the next daemon', async () => {
  const path = await folder();
  await mkdir(join(path, 'apps', 'dance', 'envs', 'new'), { recursive: true });
  await writeFile(join(path, 'apps', 'dance', 'current.json.8213'), '{"app":');
  await appsIn(path);
  expect(await readdir(join(path, 'apps'))).toEqual([]);
});

test('an app whose record is damaged keeps its files, even when installing it again fails', async () => {
  const path = await folder();
  await mkdir(join(path, 'apps', 'dance', 'envs', 'old'), { recursive: true });
  await mkdir(join(path, 'apps', 'dance', 'files'));
  await writeFile(join(path, 'apps', 'dance', 'files', 'notes.txt'), 'mine');
  await writeFile(join(path, 'apps', 'dance', 'current.json'), '{"app":');
  const apps = await appsIn(path);
  const environment = await apps.newEnvironment('dance');
  await mkdir(environment.dir);
  await environment.discard();
  expect(apps.list()).toEqual([]);
  expect(await readFile(join(path, 'apps', 'dance', 'files', 'notes.txt'), 'utf8')).toBe('mine');
});

test('without its record an app keeps its own files, but not its environments', async () => {
  const path = await folder();
  await mkdir(join(path, 'apps', 'dance', 'envs', 'half-made'), { recursive: true });
  await mkdir(join(path, 'apps', 'dance', 'files'));
  await writeFile(join(path, 'apps', 'dance', 'files', 'notes.txt'), 'mine');
  await mkdir(join(path, 'apps', 'wave', 'envs', 'half-made'), { recursive: true });
  await appsIn(path);
  expect(await readdir(join(path, 'apps'))).toEqual(['dance']);
  expect(await readdir(join(path, 'apps', 'dance'))).toEqual(['files']);
});

test("builds of an author's folder replace each other, and the published version stays for a rollback", async () => {
  const path = await folder();
  const apps = await appsIn(path);
  const space = { kind: 'space', hub: 'https://hub', id: 'ann/dance', revision: null, commit: 'a'.repeat(40) } as const;
  const own = { kind: 'folder', path: '/home/ann/dance' } as const;
  await haveInstalled(apps, { ...dance, version: '1.0', source: space });
  for (const version of ['1.1', '1.2']) await haveInstalled(apps, { ...dance, version, source: own });
  expect(apps.get('dance')).toMatchObject({ version: '1.2', previous: { version: '1.0', source: space } });
  expect(await readdir(join(path, 'apps', 'dance', 'envs'))).toHaveLength(2);
  await haveInstalled(apps, { ...dance, version: '2.0', source: space });
  expect(apps.get('dance')).toMatchObject({ version: '2.0', previous: { version: '1.2', source: own } });
});

test('an environment in which the app runs is left until it is no longer needed', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  const own = { kind: 'folder', path: '/home/ann/dance' } as const;
  for (const version of ['1.0', '1.1']) await haveInstalled(apps, { ...dance, version, source: own });
  const next = await apps.newEnvironment('dance', { keepBefore: true });
  await mkdir(next.dir);
  await next.switchTo({ ...dance, version: '1.2', source: own });
  const envs = () => readdir(join(path, 'apps', 'dance', 'envs'));
  expect(await envs()).toHaveLength(3);
  await apps.removeUnused('dance');
  expect(await envs()).toHaveLength(2);
});

test('only the previous version is kept; a rollback returns to it, and a second one forward again', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  await expect(apps.rollBack('dance', requestedByUser)).rejects.toThrow(AppNotInstalled);
  for (const [index, version] of ['1.0', '1.1', '1.2'].entries()) {
    await haveInstalled(apps, { ...dance, version, installedAt: `2026-01-0${index + 1}T00:00:00Z` });
    if (index === 0) await expect(apps.rollBack('dance', requestedByUser)).rejects.toThrow(NoPreviousVersion);
  }
  expect(apps.get('dance')).toMatchObject({ version: '1.2', previous: { version: '1.1' }, onTrial: true });
  expect(await readdir(join(path, 'apps', 'dance', 'envs'))).toHaveLength(2);
  const newer = apps.launch('dance').python;

  await apps.rollBack('dance', requestedByUser);
  expect(apps.get('dance')).toMatchObject({
    version: '1.1',
    previous: { version: '1.2' },
    onTrial: false,
    rolledBack: { ...requestedByUser, from: { version: '1.2' } },
  });
  expect(apps.launch('dance').python).not.toBe(newer);
  // The next daemon finds the same state.
  expect((await appsIn(path)).get('dance')).toEqual(apps.get('dance'));

  await apps.rollBack('dance', requestedByUser);
  expect(apps.get('dance')).toMatchObject({ version: '1.2', previous: { version: '1.1' }, rolledBack: null });
  expect(apps.launch('dance').python).toBe(newer);
});

test('a rollback says what became of saved files, whichever of the two versions has them', async () => {
  const save = async (apps: InstalledApps) => {
    const packages = join(apps.environmentOf('dance'), 'lib', 'python3.12', 'site-packages');
    await mkdir(packages, { recursive: true });
    await writeFile(join(packages, 'counter.json'), '7');
  };
  for (const saving of ['1.0', '1.1', null]) {
    const apps = await appsIn(await folder());
    for (const version of ['1.0', '1.1']) {
      await haveInstalled(apps, { ...dance, version });
      if (version === saving) await save(apps);
    }
    await apps.rollBack('dance', requestedByUser);
    const says =
      ' Files that it saved beside its code are those of that time; files in its working folder are the current ones.';
    expect(apps.get('dance').rolledBack?.reason).toBe(requestedByUser.reason + (saving === null ? '' : says));
  }
});

test('what changes during a rollback stays: a pin is kept, and a version that was installed meanwhile is not left', async () => {
  const apps = await appsIn(await folder());
  for (const version of ['1.0', '1.1']) await haveInstalled(apps, { ...dance, version });
  await Promise.all([apps.rollBack('dance', requestedByUser), apps.pin('dance', true)]);
  expect(apps.get('dance')).toMatchObject({ version: '1.0', pinned: true });
  const next = await apps.newEnvironment('dance');
  await mkdir(next.dir);
  await Promise.all([apps.rollBack('dance', requestedByUser), next.switchTo({ ...dance, version: '1.2' })]);
  expect(apps.get('dance')).toMatchObject({ version: '1.2', previous: { version: '1.0' } });
});

test('a removed app is gone at once with its folder, and cannot be launched meanwhile', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  await haveInstalled(apps, dance);
  const removal = apps.remove('dance');
  expect(() => apps.launch('dance')).toThrow(AppNotInstalled);
  await removal;
  expect(apps.list()).toEqual([]);
  expect(await readdir(join(path, 'apps'))).toEqual([]);
  expect((await appsIn(path)).list()).toEqual([]);
});

test('apps with the same port name each other', async () => {
  const apps = await appsIn(await folder());
  const settingsPage = { port: 8042, path: '/' };
  await haveInstalled(apps, appNamed('hello', { settingsPage }));
  await haveInstalled(apps, appNamed('dance', { settingsPage }));
  await haveInstalled(apps, appNamed('other', { settingsPage: { port: 7860, path: '/' } }));
  await haveInstalled(apps, appNamed('none'));
  expect(Object.fromEntries(apps.list().map(({ name, sharesPortWith }) => [name, sharesPortWith]))).toEqual({
    dance: ['hello'],
    hello: ['dance'],
    none: [],
    other: [],
  });
});

test('an offered update is cleared once it is installed, and at a restart', async () => {
  const path = await folder();
  const apps = await appsIn(path);
  const at = (commit: string) =>
    appNamed('dance', {
      source: { kind: 'space', hub: 'https://hub.example', id: 'ann/dance', revision: null, commit },
    });
  await haveInstalled(apps, at('a'.repeat(40)));
  const update = { commit: 'b'.repeat(40), seenAt: '2026-01-02T00:00:00Z' };
  apps.offer('dance', { update, updateProblem: null });
  expect(apps.get('dance').update).toEqual(update);
  expect((await appsIn(path)).get('dance').update).toBeNull();
  await haveInstalled(apps, at('b'.repeat(40)));
  expect(apps.get('dance').update).toBeNull();
});
