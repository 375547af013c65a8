/** The first of the lines that have at most so many characters together; the first one always. */
export function oldestWithin<Line extends Pick<NumberedLine, 'text'>>(
  lines: readonly Line[],
  characters: number,
): readonly Line[] {
  let sum = 0;
  const end = lines.findIndex(({ text }, index) => {
    sum += text.length;
    return sum > characters && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** The last of the lines that have at most so many characters together, in their order; the last one always. */
export function newestWithin<Line extends Pick<NumberedLine, 'text'>>(
  lines: readonly Line[],
  characters: number,
): readonly Line[] {
  let sum = 0;
  const end = lines.findLastIndex(({ text }, index) => {
    sum += text.length;
    return sum > characters && index < lines.length - 1;
  });
  return lines.slice(end + 1);
}

/** A line of a program, with its number in the output. */
interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

export interface LineFilter {
  /** Only lines that contain this text, in upper or lower case. */
  readonly text?: string | undefined;
  /** Only lines that report errors. */
  readonly errors?: boolean | undefined;
}

/** The wanted part of an output. */
export interface LineQuery extends LineFilter {
  /** Only lines after this number: the oldest of them. */
  readonly after?: number | undefined;
  /** Only lines before this number. */
  readonly before?: number | undefined;
}

/** The size of a selection. At least one line is selected, however long it is. */
interface SelectionSize {
  readonly lines: number;
  readonly characters: number;
}

/** Whether a line reports an error. It gets every line, in order. */
type IsError<Line> = (line: Line) => boolean;

/** @returns whether a line is one of those that are looked for. It gets every line, in order. */
export function lineMatcher<Line extends Pick<NumberedLine, 'text'>>(
  { text = '', errors = false }: LineFilter,
  isError: IsError<Line>,
): (line: Line) => boolean {
  const wanted = text.toLowerCase();
  return (line) => {
    const isWantedKind = !errors || isError(line);
    return isWantedKind && (wanted === '' || line.text.toLowerCase().includes(wanted));
  };
}

/** Selects lines of an output, whose lines it gets in order, and counts the others. */
export class LineSelection<Line extends NumberedLine> {
  readonly #query: LineQuery;
  readonly #size: SelectionSize;
  readonly #matches: (line: Line) => boolean;
  /** Each with the number of matches before it. */
  #lines: { readonly line: Line; readonly text: string; readonly before: number }[] = [];
  #kept = 0;
  #matching = 0;
  #first: number | null = null;
  #last = 0;

  constructor(query: LineQuery, size: SelectionSize, isError: IsError<Line>) {
    this.#query = query;
    this.#size = size;
    this.#matches = lineMatcher(query, isError);
  }

  add(line: Line): void {
    this.#kept += 1;
    this.#first ??= line.number;
    this.#last = line.number;
    if (!this.#matches(line)) return;
    const before = this.#matching;
    this.#matching += 1;
    const { after = 0, before: end = Number.POSITIVE_INFINITY } = this.#query;
    if (line.number <= after || line.number >= end) return;
    const isOldestFirst = this.#query.after !== undefined;
    if (isOldestFirst && this.#lines.length >= this.#size.lines) return;
    this.#lines.push({ line, text: line.text, before });
    // Twice as many before the oldest go, so that not each line moves the whole array.
    if (!isOldestFirst && this.#lines.length >= 2 * this.#size.lines) this.#lines = this.#newest();
  }

  /** The number of the newest line so far; 0: none. */
  get last(): number {
    return this.#last;
  }

  result() {
    const bounded = this.#query.after === undefined ? newestWithin : oldestWithin;
    const selected = bounded(this.#query.after === undefined ? this.#newest() : this.#lines, this.#size.characters);
    return {
      firstKept: this.#first ?? this.#last + 1,
      last: this.#last,
      kept: this.#kept,
      matches: this.#matching,
      before: selected[0]?.before ?? 0,
      lines: selected.map(({ line }) => line),
    };
  }

  #newest() {
    return this.#lines.slice(-this.#size.lines);
  }
}
