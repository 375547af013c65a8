import { simulated } from '../daemon/cli/daemon-arguments.ts';

/**
 * Our own options, from the command line that they share with Chromium's switches: what comes after `--`. The desktop app
 * drives the simulated robot, whether asked or not: there is no other yet.
 */
export function desktopArguments(argv: readonly string[]): string[] {
  const start = argv.indexOf('--');
  return simulated(start === -1 ? [] : argv.slice(start + 1));
}
