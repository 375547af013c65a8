import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAppImageAfter } from './start-again.ts';

test.skipIf(process.platform === 'win32')('an AppImage starts once the process is gone, as it is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'start again-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ending = execa('cat', { stdin: 'pipe', reject: false });
  onTestFinished(() => void ending.kill());
  const appImage = join(folder, "robot's.AppImage");
  const said = join(folder, 'said');
  const script = async (file: string, ...lines: string[]) => {
    await writeFile(file, ['#!/bin/sh', ...lines].join('\n'));
    await chmod(file, 0o755);
  };
  await script(
    appImage,
    `kill -0 ${ending.pid} 2>/dev/null && echo 'too early' >"${said}.part"`,
    `printf '%s\\n' "$@" >>"${said}.part"`,
    `mv "${said}.part" "${said}"`,
  );
  // The process ends only because somebody waits for it.
  await script(join(folder, 'sleep'), `kill ${ending.pid} 2>/dev/null`, 'exec /bin/sleep "$@"');
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());

  startAppImageAfter(ending.pid ?? 0, appImage, ['--', '--data-dir', '/my $HOME; data']);
  await ending;
  await vi.waitFor(async () => expect(await readFile(said, 'utf8')).toBe('--\n--data-dir\n/my $HOME; data\n'));
});
