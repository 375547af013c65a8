import { visibleText } from '../../shared/display-text.ts';

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
