import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SocketFolder } from './socket-folder.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sockets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(process.platform === 'win32')(
  'the folder is made empty for this user alone, and again after somebody has removed it',
  async () => {
    const wanted = join(await newFolder(), 'sockets');
    await mkdir(wanted);
    await writeFile(join(wanted, 'left.sock'), '');
    const sockets = new SocketFolder(wanted);
    const paths = await Promise.all([sockets.pathFor('0000000a'), sockets.pathFor('0000000b')]);
    expect(paths).toEqual([join(wanted, '0000000a.sock'), join(wanted, '0000000b.sock')]);
    expect(await readdir(wanted)).toEqual([]);
    expect((await stat(wanted)).mode & 0o777).toBe(0o700);
    await sockets.remove();
    await sockets.pathFor('0000000c');
    expect((await stat(wanted)).mode & 0o777).toBe(0o700);
  },
);

test.skipIf(process.platform === 'win32')(
  'a path that is too long for a socket is replaced by a short one',
  async () => {
    const sockets = new SocketFolder(join(await newFolder(), 'x'.repeat(90)));
    const path = await sockets.pathFor('0000000a');
    expect(Buffer.byteLength(path)).toBeLessThan(103);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    await sockets.remove();
    await expect(stat(dirname(path))).rejects.toThrow('ENOENT');
  },
);
