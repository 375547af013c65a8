import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../shared/child-environment.ts';
import { runCommand } from '../shared/run-command.ts';
import { SHARED_TOOLS } from './test-daemon.ts';

/** Whether uv is on PATH or was put among the tests' tools, which an install in `auto` mode does where it can. */
export async function uvIsHere(): Promise<boolean> {
  const environments = await readdir(SHARED_TOOLS).catch(() => []);
  const candidates = ['uv', ...environments.map((name) => join(SHARED_TOOLS, name, 'bin', 'uv'))];
  for (const candidate of candidates) {
    const env = { PATH: process.env['PATH'] ?? '' };
    if (await works(candidate, ['--version'], env)) return true;
  }
  return false;
}

/** Whether packages can be had from a package index, as the daemon's children would ask for them. */
export async function packageIndexIsHere(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-index-'));
  const pip = ['-m', 'pip', 'download', '--no-input', '--disable-pip-version-check', '--no-deps', '--dest', folder];
  try {
    const patience = ['--retries', '0', '--timeout', '5'];
    return await works('python3', [...pip, ...patience, 'setuptools>=68'], childEnvironment(process.env, ''));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function works(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  return runCommand(file, args, { env, deadlineMs: 20_000 }).then(
    () => true,
    () => false,
  );
}
