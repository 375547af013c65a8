/** `npm start`: Robot Desktop in its window, or in the browser where no window can be opened. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { electronProgram } from './environment/electron-program.ts';
import { projectDir } from './environment/project.ts';
import { screenProblem } from './environment/screen-problem.ts';

enableCompileCache(join(projectDir, 'dist', '.compile-cache'));
const require = createRequire(import.meta.url);
const { parseDaemonArguments } =
  require('../dist/node/daemon-arguments.cjs') as typeof import('../daemon/cli/daemon-arguments.ts');

const { beInFolderOfUser } = require('../bin/folder-of-user.cjs') as { beInFolderOfUser: (script: string) => void };
beInFolderOfUser('start');

/** An exit within this time is a failed start. */
const AT_ONCE_MS = 10_000;

const ownOptions = ['--no-window', '--browser'];
const argv = process.argv.slice(2);
const daemonArguments = argv.filter((argument) => !ownOptions.includes(argument));

// The command answers help and bad options, without a download.
if (argv.includes('--no-window') || !asksForADaemon()) await inBrowser(false);
else if (argv.includes('--browser')) await inBrowser(true);
else await inWindow();

function asksForADaemon(): boolean {
  try {
    return parseDaemonArguments(daemonArguments, 'auto') !== null;
  } catch {
    return false;
  }
}

async function inWindow(): Promise<void> {
  const electron = await electronProgram();
  const missing = 'path' in electron ? await runElectron(electron.path) : electron.missing;
  if (missing === null) return;
  console.log(`No window: ${missing}. Using the browser instead.`);
  await inBrowser(true);
}

/** Runs Electron and sets this process's exit code to its own. @returns null; the reason if Electron could not run */
async function runElectron(path: string): Promise<string | null> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env; // set in the terminals of some editors
  const startedAt = performance.now();
  const child = spawn(path, [projectDir, '--', ...daemonArguments], {
    stdio: 'inherit',
    env,
    // In its own group, so that it gets each signal once, through this process: a second signal would end it at once.
    detached: process.platform !== 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code, signal] = await once(child, 'exit').catch((error: Error) => [127, error.message]);
  const atOnce = performance.now() - startedAt < AT_ONCE_MS;
  // A missing library exits with 127; a sandbox that cannot be created ends with a signal.
  if (atOnce && (code === 127 || ['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGILL'].includes(signal))) {
    return `Electron exited at once (${signal ?? 'a library is missing'})`;
  }
  process.exitCode = code ?? 1;
  return null;
}

async function inBrowser(open: boolean): Promise<void> {
  const { commandLine } = require('../dist/node/command-line.cjs') as typeof import('../daemon/cli/command-line.ts');
  const browser = open ? { onReady: (address: string) => void openBrowser(address), orRunning: true } : {};
  await commandLine(daemonArguments, { projectDir, defaultRobot: 'auto', ...browser });
}

async function openBrowser(address: string): Promise<void> {
  const failed = () => console.log(`No browser could be opened. Open ${address} yourself.`);
  if (await screenProblem(process.env)) {
    console.log(`Open ${address} in a browser.`);
    return;
  }
  const { default: openWithDesktop } = await import('open');
  await openWithDesktop(address).then((child) => child.once('error', failed), failed);
}
