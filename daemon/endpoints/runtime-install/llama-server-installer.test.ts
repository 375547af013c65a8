import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { LlamaServerInstaller } from './llama-server-installer.ts';

function setup(wantsCardBuild: () => Promise<boolean>) {
  const file = join(import.meta.dirname, '../../../assets/runtimes/llama-server.json');
  return new LlamaServerInstaller({
    jobs: { add: () => expect.fail('not in this test'), saved: async () => {} },
    runtimesDir: '/nowhere',
    release: { file, platform: 'linux', arch: 'x64', url: null, sha256: null },
    ...{ wantsCardBuild, childEnvironment: () => ({}), clock: manualClock(), onInstalled: () => {} },
  });
}

test('it tells which build would be installed, and how large it is, by the graphics card that is there now', async () => {
  let hasCard = false;
  const installer = setup(async () => hasCard);
  const { sizeBytes, ...forProcessor } = await installer.installable();
  expect(forProcessor).toEqual({
    ...{ version: expect.stringMatching(/^b\d+$/), host: 'github.com', usesCard: false, problem: null },
  });
  hasCard = true;
  const forCard = await installer.installable();
  expect(forCard).toMatchObject({ ...forProcessor, usesCard: true });
  expect(forCard.sizeBytes).toBeGreaterThan(sizeBytes ?? 0);
});

test('whether there is a release is known without a look for graphics cards', async () => {
  expect(await setup(() => expect.fail('the driver would be loaded')).hasRelease()).toBe(true);
});
