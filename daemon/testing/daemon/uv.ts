import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findUv, toolEnvironments } from '../../apps/python/find-uv.ts';
import type { RunStep } from '../../apps/python/python-env.ts';
import { succeeds } from '../../shared/async/succeeds.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import { SHARED_TOOLS } from './test-daemon.ts';

const ANSWER_MS = 20_000;

/** Whether uv is on PATH or was put among the tests' tools, which an install in `auto` mode does where it can. */
export async function uvIsHere(): Promise<boolean> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const run: RunStep = (file, args, more) => runCommand(file, args, { env, deadlineMs: ANSWER_MS, ...more });
  return (await findUv(await toolEnvironments(SHARED_TOOLS), run)) !== null;
}

/** Whether packages can be had from a package index, as the daemon's children would ask for them. */
export async function packageIndexIsHere(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-index-'));
  const pip = ['-m', 'pip', 'download', '--no-input', '--disable-pip-version-check', '--no-deps', '--dest', folder];
  try {
    const patience = ['--retries', '0', '--timeout', '5'];
    const how = { env: childEnvironment(process.env, ''), deadlineMs: ANSWER_MS };
    return await succeeds(runCommand('python3', [...pip, ...patience, 'setuptools>=68'], how));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
