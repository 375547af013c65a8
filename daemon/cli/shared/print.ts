import { visibleLines, visibleText } from '../../shared/display-text.ts';

/** Prints lines on standard output. Control characters in them, which may come from strangers, are shown as escapes. */
export function print(lines: string): void {
  process.stdout.write(visibleLines(lines));
}

/** Prints one line on standard error, likewise. */
export function printError(line: string): void {
  process.stderr.write(`${visibleText(line)}\n`);
}

/** Prints a value as JSON. */
export function printJson(value: unknown): void {
  print(`${JSON.stringify(value, null, 2)}\n`);
}

export interface JsonOption {
  readonly json?: boolean;
}

/** Prints a result as JSON where that is asked for, else the text. */
export function printResult({ json }: JsonOption, value: unknown, text: string): void {
  if (json) printJson(value);
  else print(text);
}
