/** The end of the lines of a text, as its first line has it. */
export function lineEnd(text: string): '\n' | '\r\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** The lines with the line ends of a text. */
export function linesLike(text: string, lines: readonly string[]): string {
  return lines.map((line) => line + lineEnd(text)).join('');
}

/** Inserts lines after a line of a text, counted from 1. */
export function insertAfterLine(text: string, line: number, lines: readonly string[]): string {
  let at = 0;
  for (let passed = 0; passed < line; passed++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return `${text}${lineEnd(text)}${linesLike(text, lines)}`;
    at = next + 1;
  }
  return text.slice(0, at) + linesLike(text, lines) + text.slice(at);
}

/** Adds lines at the end of a text, after an empty one. */
export function append(text: string, lines: readonly string[]): string {
  const end = lineEnd(text);
  const closed = text === '' || text.endsWith('\n') ? text : text + end;
  return `${closed}${closed === '' ? '' : end}${linesLike(text, lines)}`;
}
