import { CODE_MINUTES, SIGN_IN_PATH, writeSignInCode } from '../access/sign-in-codes.ts';
import { systemNow } from '../shared/clock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { neededDaemonUrl } from './shared/daemon-url.ts';
import { printError } from './shared/print.ts';

/** `robot-daemon sign-in` */
export async function signIn(paths: DataPaths): Promise<void> {
  const url = await neededDaemonUrl(paths, 'Start it: it prints such an address.');
  const code = await writeSignInCode(paths.signInCodeFile, systemNow());
  // The address alone on standard output, for programs that open it.
  printError(`Open this address in the browser to sign in. It works once, within ${CODE_MINUTES} minutes:`);
  process.stdout.write(`${url}${SIGN_IN_PATH}?code=${code}\n`);
}
