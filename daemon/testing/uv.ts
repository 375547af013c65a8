import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../shared/run-command.ts';
import { SHARED_TOOLS } from './test-daemon.ts';

/** Whether uv is on PATH or was put among the tests' tools, which an install in `auto` mode does where it can. */
export async function uvIsHere(): Promise<boolean> {
  const environments = await readdir(SHARED_TOOLS).catch(() => []);
  const candidates = ['uv', ...environments.map((name) => join(SHARED_TOOLS, name, 'bin', 'uv'))];
  for (const candidate of candidates) {
    const env = { PATH: process.env['PATH'] ?? '' };
    if (
      await runCommand(candidate, ['--version'], { env, deadlineMs: 10_000 }).then(
        () => true,
        () => false,
      )
    )
      return true;
  }
  return false;
}
