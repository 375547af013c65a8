import { visibleText } from './display-text.ts';
import type { LineFilter } from './line-selection.ts';

interface FileLine {
  /** ISO. */
  readonly at: string;
  readonly text: string;
  readonly truncated: boolean;
}

interface LinesFileParts<Line extends FileLine> {
  /** The program that wrote the lines; begins the name of the file. */
  readonly program: string;
  /** The time in the name of the file, ISO; empty: none. */
  readonly at: string;
  /** The first lines, about the others. */
  readonly head: readonly string[];
  /** The filter by which the lines were chosen, and the number of those from which they were. */
  readonly filter: LineFilter;
  readonly kept: number;
  readonly lines: readonly Line[];
  /** A word before the text of a line. */
  readonly mark?: (line: Line) => string;
}

/** Lines of a program as a text file, which a terminal or an editor can show: characters that steer it are escapes. */
export function linesFile<Line extends FileLine>(parts: LinesFileParts<Line>): { name: string; text: string } {
  const { program, at, head, filter, kept, lines, mark } = parts;
  const isFiltered = filter.errors === true || (filter.text ?? '') !== '';
  const chosen = isFiltered ? [`${lines.length} of ${kept} kept lines: ${filterText(filter)}.`] : [];
  return {
    name: [program, ...(isFiltered ? ['matches'] : []), ...at.slice(0, 19).split(/[^0-9T]/)]
      .filter(Boolean)
      .join('-')
      .concat('.txt'),
    text: [
      ...[...head, ...chosen].map((sentence) => visibleText(`# ${sentence}`)),
      ...lines.map((line) => lineText(line, mark?.(line))),
      '',
    ].join('\n'),
  };
}

function filterText({ text = '', errors = false }: LineFilter): string {
  const containing = text === '' ? [] : [`contain "${text}"`];
  return `those that ${[...(errors ? ['tell of errors'] : []), ...containing].join(' and ')}`;
}

function lineText({ at, text, truncated }: FileLine, mark: string | undefined): string {
  const visible = text.split('\t').map(visibleText).join('\t');
  return `${at} ${mark === undefined ? '' : `${mark} `}${visible}${truncated ? ' … cut here' : ''}`;
}
