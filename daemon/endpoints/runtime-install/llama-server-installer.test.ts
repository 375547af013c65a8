import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { writeInstalled } from '../llamacpp/llama-server-program.ts';
import { llamaArchive } from './llama-release.ts';
import { LlamaServerInstaller } from './llama-server-installer.ts';

const file = join(import.meta.dirname, '../../../assets/runtimes/llama-server.json');
const release = { file, platform: 'linux', arch: 'x64', url: null, sha256: null } as const;

/** @param more `installed`: the checksum of the archive that one was installed from; `mayReplace`: it uses no card */
async function setup(wantsCardBuild: () => Promise<boolean>, more: { installed?: string; mayReplace?: boolean } = {}) {
  const runtimesDir = await mkdtemp(join(tmpdir(), 'installer-'));
  onTestFinished(() => rm(runtimesDir, { recursive: true }));
  if (more.installed) await writeInstalled(runtimesDir, { version: 'b1', program: 'a', sha256: more.installed });
  return new LlamaServerInstaller({
    jobs: { add: () => expect.fail('not in this test'), saved: async () => {} },
    runtimesDir,
    mayReplace: async () => more.mayReplace ?? false,
    release,
    ...{ wantsCardBuild, childEnvironment: () => ({}), clock: manualClock(), onInstalled: () => {} },
  });
}

test('it tells which build would be installed, and how large it is, by the graphics card that is there now', async () => {
  let hasCard = false;
  const installer = await setup(async () => hasCard);
  const { sizeBytes, ...forProcessor } = await installer.installable();
  expect(forProcessor).toEqual({
    ...{
      version: expect.stringMatching(/^b\d+$/),
      host: 'github.com',
      usesCard: false,
      replaces: false,
      problem: null,
    },
  });
  hasCard = true;
  const forCard = await installer.installable();
  expect(forCard).toMatchObject({ ...forProcessor, usesCard: true });
  expect(forCard.sizeBytes).toBeGreaterThan(sizeBytes ?? 0);
});

test('whether there is a release is known without a look for graphics cards', async () => {
  const installer = await setup(() => expect.fail('the driver would be loaded'));
  expect(await installer.hasRelease()).toBe(true);
});

test('one for cards replaces another one that uses none, and never the same one', async () => {
  const forCards = await llamaArchive(release, true);
  if ('problem' in forCards) expect.fail(forCards.problem);
  const replaces = async (hasCard: boolean, more: Parameters<typeof setup>[1]) =>
    (await (await setup(async () => hasCard, more)).installable()).replaces;
  expect(await replaces(true, { installed: 'an older one', mayReplace: true })).toBe(true);
  expect(await replaces(true, { installed: 'one that has a card', mayReplace: false })).toBe(false);
  expect(await replaces(true, { installed: forCards.sha256, mayReplace: true })).toBe(false);
  expect(await replaces(false, { installed: 'an older one', mayReplace: true })).toBe(false);
});
