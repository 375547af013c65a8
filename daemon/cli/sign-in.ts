import { CODE_MINUTES, SIGN_IN_PATH, writeSignInCode } from '../access/sign-in-codes.ts';
import { commandArguments } from './shared/command-arguments.ts';
import { daemonUrl } from './shared/daemon-url.ts';
import { printError } from './shared/print.ts';
import { reportFailure } from './shared/report-failure.ts';
import { NOT_RUNNING } from './status.ts';

const help = `Usage: robot-daemon sign-in [--data-dir <folder>]

Prints an address that signs a browser in to the daemon on the data folder, once, within ${CODE_MINUTES} minutes. An address that was
printed before becomes invalid. The browser stays signed in until it is unused for 30 days, or its session is ended in
the settings.

Exit codes: 0 done, 1 failed, 2 bad arguments, 3 no daemon runs.
`;

/** `robot-daemon sign-in` */
export async function signIn(argv: readonly string[]): Promise<void> {
  try {
    const given = commandArguments(argv, help);
    if (!given) return;
    const { paths } = given;
    const url = await daemonUrl(paths);
    if (url === null) {
      printError(`No robot daemon runs on ${paths.root}. Start it: it prints such an address.`);
      process.exitCode = NOT_RUNNING;
      return;
    }
    const code = await writeSignInCode(paths.signInCodeFile, new Date());
    // The address alone on standard output, for programs that open it.
    printError(`Open this address in the browser to sign in. It works once, within ${CODE_MINUTES} minutes:`);
    process.stdout.write(`${url}${SIGN_IN_PATH}?code=${code}\n`);
  } catch (error) {
    reportFailure(error);
  }
}
