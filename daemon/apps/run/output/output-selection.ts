import type { OutputLine } from '../../../contract/apps/runs.ts';
import { newestWithin, oldestWithin } from './bounded-lines.ts';
import { ErrorLines } from './error-lines.ts';

/** The wanted part of a run's output. */
export interface OutputQuery {
  /** Only lines after this number: the oldest of them. */
  readonly after?: number | undefined;
  /** Only lines before this number. */
  readonly before?: number | undefined;
  /** Only lines that contain this text, in upper or lower case. */
  readonly text?: string | undefined;
  /** Only lines on stderr, and tracebacks. */
  readonly errors?: boolean | undefined;
}

/** The size of a selection. At least one line is selected, however long it is. */
export interface SelectionSize {
  readonly lines: number;
  readonly characters: number;
}

/** Selects lines of the output of a run, whose lines it gets in order, and counts the others. */
export class OutputSelection {
  readonly #query: OutputQuery;
  readonly #size: SelectionSize;
  readonly #wanted: string;
  readonly #errors = new ErrorLines();
  /** Each with the number of matches before it. */
  #lines: { readonly line: OutputLine; readonly text: string; readonly before: number }[] = [];
  #kept = 0;
  #matches = 0;
  #first: number | null = null;
  #last = 0;

  constructor(query: OutputQuery, size: SelectionSize) {
    this.#query = query;
    this.#size = size;
    this.#wanted = query.text?.toLowerCase() ?? '';
  }

  add(line: OutputLine): void {
    this.#kept += 1;
    this.#first ??= line.number;
    this.#last = line.number;
    if (!this.#matchesQuery(line)) return;
    const before = this.#matches;
    this.#matches += 1;
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
      matches: this.#matches,
      before: selected[0]?.before ?? 0,
      lines: selected.map(({ line }) => line),
    };
  }

  #newest() {
    return this.#lines.slice(-this.#size.lines);
  }

  #matchesQuery(line: OutputLine): boolean {
    const isError = !this.#query.errors || this.#errors.isError(line);
    return isError && (this.#wanted === '' || line.text.toLowerCase().includes(this.#wanted));
  }
}
