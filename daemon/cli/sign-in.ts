import { asksThisMachine } from '../access/access-token-file.ts';
import { CODE_MINUTES, SIGN_IN_PATH, writeSignInCode } from '../access/sign-in-codes.ts';
import type { DaemonOptions } from '../daemon-options.ts';
import { systemNow } from '../shared/clock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { neededDaemon } from './shared/on-daemon.ts';
import { printError } from './shared/print.ts';

/** `robot-daemon sign-in` */
export async function signIn(paths: DataPaths): Promise<void> {
  const { url } = await neededDaemon(paths, 'Start it: it prints such an address.');
  const address = await signInAddress(paths, url);
  // The address alone on standard output, for programs that open it.
  printError(`Open this address in the browser to sign in. It works once, within ${CODE_MINUTES} minutes:`);
  process.stdout.write(`${address}\n`);
}

/** Says what a sign-in is for, at the start of a daemon. */
export function signInText(options: Pick<DaemonOptions, 'requireToken' | 'behindProxy'>, address: string): string {
  return `${asksThisMachine(options) ? 'To use it' : 'To deploy models'}, sign in once at ${address}`;
}

/**
 * An address that signs a browser in once, within 15 minutes; the one before it becomes invalid.
 * @param url of the daemon on the data folder
 * @throws DiskFull, DataFolderReadOnly
 */
export async function signInAddress(paths: DataPaths, url: string): Promise<string> {
  return `${url}${SIGN_IN_PATH}?code=${await writeSignInCode(paths.signInCodeFile, systemNow())}`;
}
