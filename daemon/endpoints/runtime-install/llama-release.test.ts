import { join } from 'node:path';
import { expect, test } from 'vitest';
import { llamaArchive, type ReleaseChoice } from './llama-release.ts';

const file = join(import.meta.dirname, '../../../assets/runtimes/llama-server.json');
const archive = (more: Partial<ReleaseChoice> = {}, wantsCard = false) =>
  llamaArchive({ file, platform: 'linux', arch: 'x64', url: null, sha256: null, ...more }, wantsCard);

test.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])('a release is pinned for %s', async (key) => {
  const [platform, arch = ''] = key.split('-');
  const found = await archive({ platform: platform as NodeJS.Platform, arch });
  expect(found).toMatchObject({
    url: expect.stringMatching(/^https:\/\/github\.com\/ggml-org\/llama\.cpp\/releases\/download\/b\d+\/.*\.tar\.gz$/),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    version: expect.stringMatching(/^b\d+$/),
    usesCard: key === 'darwin-arm64',
  });
});

test.each([
  ['linux-x64', 'ubuntu-vulkan-x64', true],
  ['linux-arm64', 'ubuntu-vulkan-arm64', true],
  ['darwin-arm64', 'macos-arm64', true],
  ['darwin-x64', 'macos-x64', false],
])('for a graphics card, %s gets %s', async (key, name, usesCard) => {
  const [platform, arch = ''] = key.split('-');
  const found = await archive({ platform: platform as NodeJS.Platform, arch }, true);
  expect(found).toMatchObject({ url: expect.stringContaining(`-bin-${name}.tar.gz`), usesCard });
});

test('an address alone must have the pinned archive; with a checksum, that one', async () => {
  const url = 'http://mirror.example/a.tar.gz';
  const pinned = await archive();
  expect(await archive({ url })).toEqual({ ...pinned, url });
  expect(await archive({ url }, true)).toEqual({ ...pinned, url });
  const forCard = await archive({}, true);
  if (!('sha256' in forCard)) expect.fail(forCard.problem);
  expect(await archive({ sha256: forCard.sha256 })).toEqual(forCard);
  expect(await archive({ url, sha256: forCard.sha256 })).toEqual({ ...forCard, url });
  const sha256 = 'ab'.repeat(32);
  const own = { url, sha256, sizeBytes: null, version: 'abababababab', usesCard: null };
  expect(await archive({ url, sha256 })).toEqual(own);
  expect(await archive({ arch: 'riscv64', url, sha256 })).toEqual(own);
});

test('without a pinned release, the options are needed; on Windows there is none', async () => {
  expect(await archive({ arch: 'riscv64' })).toEqual({ problem: expect.stringContaining('--llama-server-sha256') });
  expect(await archive({ arch: 'riscv64', url: 'http://a.example/' })).toHaveProperty('problem');
  expect(await archive({ platform: 'win32' })).toEqual({ problem: expect.stringContaining('Windows') });
});
