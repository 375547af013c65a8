/** Our own options: the arguments after `--`. Those before it are Chromium's switches. */
export function desktopArguments(argv: readonly string[]): string[] {
  const start = argv.indexOf('--');
  return start === -1 ? [] : argv.slice(start + 1);
}
