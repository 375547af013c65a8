import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bootKey, driverKey } from './driver-key.ts';

const icd = 'usr/share/vulkan/icd.d/radeon_icd.json';

async function system() {
  const root = await mkdtemp(join(tmpdir(), 'drivers-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const write = async (path: string, text = '') => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    await utimes(join(root, path), 1, 1); // a change is not missed within the clock's resolution
    return join(root, path);
  };
  const library = await write('usr/lib/libvulkan_radeon.so', 'a driver');
  await write(icd, JSON.stringify({ ICD: { library_path: library } }).replace('":"', '" : "'));
  const key = (environment = {}, version = '3.21.1') =>
    driverKey(version, environment, { root, home: join(root, 'home/ada') });
  return { write, key, root };
}

test('the key stays while nothing changes, and is a name of a folder', async () => {
  const { key } = await system();
  const first = await key();
  expect(first).toMatch(/^[\w-]{22}$/);
  expect(await key({ PATH: '/bin', LANG: 'C' })).toBe(first);
});

test.each<[string, (on: Awaited<ReturnType<typeof system>>) => Promise<unknown>]>([
  ['the library of a driver is replaced', ({ write }) => write('usr/lib/libvulkan_radeon.so', 'a newer driver')],
  ['the registration of a driver changes', ({ write }) => write(icd, '{}')],
  ['a driver is added', ({ write }) => write('etc/vulkan/icd.d/nvidia_icd.json', '{}')],
  ['a user adds a driver', ({ write }) => write('home/ada/.local/share/vulkan/icd.d/mine.json', '{}')],
  ['a driver is removed', ({ root }) => rm(join(root, icd))],
  ['the part of the driver in the kernel changes', ({ write }) => write('proc/driver/nvidia/version', '580.1')],
  ['a card is added', ({ write }) => write('dev/dri/renderD129')],
])('it is another one after %s', async (_what, change) => {
  const on = await system();
  const before = await on.key();
  await change(on);
  expect(await on.key()).not.toBe(before);
});

test('it is another one for another library, and for variables that choose a driver or a card', async () => {
  const { key } = await system();
  const choices = [{}, { VK_DRIVER_FILES: '/a.json' }, { GGML_VK_VISIBLE_DEVICES: '1' }, { DRI_PRIME: '1' }];
  const keys = [...(await Promise.all(choices.map((environment) => key(environment)))), await key({}, '4.0.0')];
  expect(new Set(keys).size).toBe(5);
});

test('a run of the system has the same key at each call', async () => {
  const now = () => new Date();
  expect(await bootKey(now)).toBe(await bootKey(now));
  expect(await bootKey(now)).not.toBe('');
});
