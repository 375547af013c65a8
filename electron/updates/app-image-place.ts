import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskSpace } from '../../daemon/shared/files/disk-space.ts';

/** The questions to the file system. */
interface Disks {
  readonly stat: (path: string) => Promise<{ readonly dev: number; readonly size: number }>;
  readonly diskSpace: typeof diskSpace;
}

/**
 * Checks that a downloaded file can take the place of an AppImage. electron-updater removes the AppImage first, and then
 * moves the file there: from another disk that is a copy, which must not end halfway for want of room.
 * @throws Error with the code ENOSPC, or of the file system
 */
export async function checkAppImagePlace(
  appImage: string,
  file: string,
  disks: Disks = { stat, diskSpace },
): Promise<void> {
  const folder = dirname(appImage);
  const [place, newer] = await Promise.all([disks.stat(folder), disks.stat(file)]);
  if (place.dev === newer.dev || (await disks.diskSpace(folder)).freeBytes >= newer.size) return;
  throw Object.assign(new Error(`There is no room for the newer version in ${folder}.`), { code: 'ENOSPC' });
}
