import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunStep } from '../../apps/python/python-env.ts';
import { findUv, toolEnvironments } from '../../apps/python/uv-and-pip.ts';
import { succeeds } from '../../shared/async/succeeds.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import { SHARED_TOOLS } from '../daemon/test-daemon.ts';

const ANSWER_MS = 20_000;

/** Whether uv is on PATH or among the tests' tools, where an install in `auto` mode puts it if it can. */
export async function uvIsHere(): Promise<boolean> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const run: RunStep = (file, args, more) => runCommand(file, args, { env, deadlineMs: ANSWER_MS, ...more });
  return (await findUv(await toolEnvironments(SHARED_TOOLS), run)) !== null;
}

/** Whether a package index is reachable in the environment of the daemon's children. */
export async function packageIndexIsHere(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-index-'));
  const pip = ['-m', 'pip', 'download', '--no-input', '--disable-pip-version-check', '--no-deps', '--dest', folder];
  try {
    const limits = ['--retries', '0', '--timeout', '5'];
    const options = { env: childEnvironment(process.env, ''), deadlineMs: ANSWER_MS };
    return await succeeds(runCommand('python3', [...pip, ...limits, 'setuptools>=68'], options));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
