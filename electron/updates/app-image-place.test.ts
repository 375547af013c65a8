import { expect, test } from 'vitest';
import { checkAppImagePlace } from './app-image-place.ts';

/** A newer version of 200 bytes, downloaded to one of two disks; that of the AppImage has some room. */
const disks = (freeBytes: number) => ({
  stat: async (path: string) => ({ dev: path.startsWith('/home') ? 1 : 2, size: 200 }),
  diskSpace: async () => ({ totalBytes: 1_000, freeBytes }),
});

test.each([
  ['/home/ann/.cache/newer', 0],
  ['/cache/newer', 200],
])('%s takes the place of an AppImage on a disk with %i bytes of room', async (file, freeBytes) => {
  await expect(checkAppImagePlace('/home/ann/robot.AppImage', file, disks(freeBytes))).resolves.toBeUndefined();
});

test('from another disk it does not where there is no room: the AppImage would be gone', async () => {
  await expect(checkAppImagePlace('/home/ann/robot.AppImage', '/cache/newer', disks(199))).rejects.toMatchObject({
    code: 'ENOSPC',
  });
});

test('a download that is gone again takes no place', async () => {
  await expect(checkAppImagePlace('/tmp/robot.AppImage', '/tmp/there/is/no/newer')).rejects.toThrow('ENOENT');
});
