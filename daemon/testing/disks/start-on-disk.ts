import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { standInOf } from '../../shared/data-folder/folder-locks.ts';
import { type DaemonProcess, startDaemonProcess } from '../daemon/daemon-process.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

/** Mounts a disk for a test, with a folder for temporary files. */
export async function diskToStartOn(megabytes: number): Promise<SmallDisk> {
  const disk = (await smallDisk(megabytes)) ?? expect.fail('no disk may be mounted here');
  await mkdir(join(disk.dir, 'tmp'));
  onTestFinished(() => disk[Symbol.asyncDispose]());
  onTestFinished(async () => {
    const { lockFile = '', instanceFile = '' } = (await standInOf(disk.dataDir)) ?? {};
    for (const file of [lockFile, instanceFile]) await rm(file, { force: true });
  });
  return disk;
}

/** Starts a daemon whose temporary folder is on the same disk. */
export async function startOn(disk: SmallDisk, dataDir = disk.dataDir): Promise<DaemonProcess> {
  vi.stubEnv('TMPDIR', join(disk.dir, 'tmp'));
  try {
    const daemon = await startDaemonProcess(dataDir, ['--no-wake-up-on-start']);
    onTestFinished(() => daemon.kill());
    return daemon;
  } finally {
    vi.unstubAllEnvs();
  }
}
