import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppSessions } from './app-windows.ts';
import { FakeHost } from './testing/fake-host.ts';

async function sessions(...folders: string[]) {
  const profileDir = await mkdtemp(join(tmpdir(), 'app-sessions-'));
  onTestFinished(() => rm(profileDir, { recursive: true }));
  const partitionsDir = join(profileDir, 'Partitions');
  for (const folder of folders) {
    await mkdir(join(partitionsDir, folder), { recursive: true });
    await writeFile(join(partitionsDir, folder, 'Cookies'), 'visits=1');
  }
  const host = new FakeHost();
  const cleared = (name: string) => host.sessions.get(`persist:app-${name}`)?.cleared;
  return { host, cleared, apps: new AppSessions(host, profileDir), folders: () => readdir(partitionsDir) };
}

test('what pages of removed apps have saved is deleted, and nothing else', async () => {
  const { apps, folders } = await sessions('app-wave', 'app-dance', 'app-hello', 'other');
  await apps.keepOnly(['Wave', 'hello']);
  expect(await folders()).toEqual(['app-hello', 'app-wave', 'other']);
});

test('the session of a removed app that was opened is cleared: Chromium still uses its folder', async () => {
  const { apps, folders, cleared } = await sessions('app-wave', 'app-dance');
  apps.open('wave', 'Wave', 'http://localhost:8042');
  apps.open('dance', 'Dance', 'http://localhost:8043');
  await apps.keepOnly(['dance']);
  expect([cleared('wave'), cleared('dance')]).toEqual([['storage', 'cache'], []]);
  expect(await folders()).toEqual(['app-dance', 'app-wave']);
});

test('a profile without partitions has nothing to delete', async () => {
  const { apps } = await sessions();
  const logged = vi.spyOn(console, 'error');
  onTestFinished(() => logged.mockRestore());
  await apps.keepOnly([]);
  expect(logged).not.toHaveBeenCalled();
});

test('what cannot be deleted is logged, and the rest is deleted', async () => {
  const { host, apps, folders } = await sessions('app-dance');
  apps.open('wave', 'Wave', 'http://localhost:8042');
  const session = host.sessions.get('persist:app-wave');
  vi.spyOn(session as object as { clearCache: () => Promise<void> }, 'clearCache').mockRejectedValue(new Error('busy'));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  await apps.keepOnly([]);
  expect(logged.mock.calls.flat()).toEqual([expect.stringContaining('busy')]);
  expect(session?.cleared).toEqual(['storage']);
  expect(await folders()).toEqual([]);
});
