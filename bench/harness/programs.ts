import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataDir, projectDir, robotDaemonProgram } from '../../daemon/testing/daemon/test-daemon.ts';
import { type Child, startChild } from './child.ts';
import { registerCleanup } from './cleanup.ts';
import { firstAnswer, freePort } from './first-answer.ts';

export const benchDir = join(projectDir, 'bench');
export const benchProgram = (name: string) => join(benchDir, 'programs', name);

/** An HTTP server that can be started repeatedly. */
export interface HttpProgram {
  readonly url: string;
  /** The address that answers first. */
  readonly probeUrl: string;
  start(): Child;
}

/** The daemon as `npm run daemon` starts it, with its flags. */
export async function daemonProgram(dataDir: string, robot: '--sim' | '--emulator' = '--sim'): Promise<HttpProgram> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = [robot, '--port', String(port), '--data-dir', dataDir];
  const args = ['--max-semi-space-size=2', robotDaemonProgram, ...options];
  return { url, probeUrl: `${url}/api/daemon/status`, start: () => startChild(process.execPath, args) };
}

/** A minimal Express server of one heading, or of the contents of `jsonFile`. */
export async function bareExpress(jsonFile?: string): Promise<HttpProgram> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    probeUrl: url,
    start: () =>
      startChild(process.execPath, [benchProgram('bare-express.ts'), `${port}`, ...(jsonFile ? [jsonFile] : [])]),
  };
}

/** Starts a server and waits until it answers. */
export async function startAndWait(program: HttpProgram): Promise<Child> {
  const child = program.start();
  await firstAnswer(program.probeUrl, child);
  return child;
}

/** Makes a data folder that is deleted on disposal. It shares the tools that install apps with the tests' folders. */
export async function temporaryDataDir(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await newDataDir();
  return { path, ...registerCleanup(() => rm(path, { recursive: true, force: true })) };
}
