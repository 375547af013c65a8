import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataDir, projectDir, robotDaemonProgram } from '../../daemon/testing/daemon/test-daemon.ts';
import { type Child, startChild } from './child.ts';
import { firstAnswer, freePort } from './first-answer.ts';
import { undoable } from './undo.ts';

export const benchDir = join(projectDir, 'bench');
export const benchProgram = (name: string) => join(benchDir, 'programs', name);

/** A program that answers HTTP, and how to start it once more. */
export interface HttpProgram {
  readonly url: string;
  /** Answers as soon as the program does anything. */
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

/** The least that one would serve a page with: Express and one heading, or what is in `jsonFile`. */
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

/** Starts it and waits until it answers. */
export async function startAnswering(program: HttpProgram): Promise<Child> {
  const child = program.start();
  await firstAnswer(program.probeUrl, child);
  return child;
}

/** A data folder for daemons, removed at the end. Like those of the tests it shares the tools that install apps. */
export async function temporaryDataDir(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await newDataDir();
  return { path, ...undoable(() => rm(path, { recursive: true, force: true })) };
}
