/** Our own options, from the command line that they share with Chromium's switches: what comes after `--`. */
export function desktopArguments(argv: readonly string[]): string[] {
  const start = argv.indexOf('--');
  return start === -1 ? [] : argv.slice(start + 1);
}
