import { visibleLines, visibleText } from '../../shared/display-text.ts';

/** Prints lines on standard output. Control characters in them, which may come from strangers, are shown as escapes. */
export function print(lines: string): void {
  process.stdout.write(visibleLines(lines));
}

export function printError(line: string): void {
  process.stderr.write(`${visibleText(line)}\n`);
}

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

/**
 * A table for a terminal, a line for each row.
 * @param rows as many cells as `header`; control characters in them, which may come from strangers, become escapes
 */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows.map((row) => row.map(visibleText))];
  const last = header.length - 1;
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = (text: string, column: number) => (column === last ? text : text.padEnd(widths[column] ?? 0));
  return lines.map((line) => `${line.map(padded).join('  ')}\n`).join('');
}
