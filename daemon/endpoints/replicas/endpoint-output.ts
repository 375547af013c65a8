import { randomBytes } from 'node:crypto';
import type { EndpointLog, EndpointLogFile, EndpointLogLine } from '../../contract/endpoints/endpoint-log.ts';
import type { Clock } from '../../shared/clock.ts';
import { type LineFilter, type LineQuery, LineSelection, lineMatcher } from '../../shared/line-selection.ts';
import { linesFile } from '../../shared/lines-file.ts';
import { errorLines } from './error-lines.ts';

/** Limits of what is kept; the oldest lines go first. */
export const MAX_LINES = 5_000;
export const MAX_CHARACTERS = 1024 * 1024;
/** The largest page. */
const PAGE = { lines: 1_000, characters: 256 * 1024 };
/** The least time between two reports of growth. */
const REPORT_MS = 250;

/** The output of all processes of an endpoint, in the order of its arrival: numbered, bounded, in memory. */
export class EndpointOutput {
  readonly logId = randomBytes(6).toString('hex');
  readonly #clock: Clock;
  readonly #onGrew: () => void;
  readonly #isError = errorLines();
  #lines: EndpointLogLine[] = [];
  #characters = 0;
  #last = 0;
  #isReportDue = false;

  /** @param onGrew called soon after new lines, a few times a second at most */
  constructor(clock: Clock, onGrew: () => void) {
    this.#clock = clock;
    this.#onGrew = onGrew;
  }

  /** The number of the newest line; 0: none. */
  get last(): number {
    return this.#last;
  }

  add(text: string, truncated: boolean): void {
    this.#last += 1;
    const at = this.#clock.now().toISOString();
    this.#lines.push({ number: this.#last, text, truncated, isError: this.#isError(text), at });
    this.#characters += text.length;
    if (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS) this.#dropOldest();
    if (this.#isReportDue) return;
    this.#isReportDue = true;
    this.#clock.after(REPORT_MS, () => {
      this.#isReportDue = false;
      this.#onGrew();
    });
  }

  page(query: LineQuery = {}): EndpointLog {
    const selection = new LineSelection<EndpointLogLine>(query, PAGE, isError);
    for (const line of this.#lines) selection.add(line);
    return { logId: this.logId, ...selection.result(), firstKept: this.#firstKept, last: this.#last };
  }

  /** Everything that is kept, or the lines that are looked for, as a text file. */
  file(name: string, filter: LineFilter = {}): EndpointLogFile {
    const dropped = this.#firstKept - 1;
    return linesFile({
      program: name,
      at: this.#clock.now().toISOString(),
      head: [name, ...(dropped > 0 ? [`The ${dropped} oldest lines were not kept.`] : [])],
      filter,
      kept: this.#lines.length,
      lines: this.#lines.filter(lineMatcher(filter, isError)),
    });
  }

  get #firstKept(): number {
    return this.#lines[0]?.number ?? this.#last + 1;
  }

  /** An eighth more than needed goes, so that a flood does not move the whole array for every line. */
  #dropOldest(): void {
    let drop = 0;
    let characters = this.#characters;
    const isOver = () => this.#lines.length - drop > (MAX_LINES * 7) / 8 || characters > (MAX_CHARACTERS * 7) / 8;
    while (drop < this.#lines.length - 1 && isOver()) {
      characters -= this.#lines[drop]?.text.length ?? 0;
      drop += 1;
    }
    this.#lines = this.#lines.slice(drop);
    this.#characters = characters;
  }
}

const isError = (line: EndpointLogLine) => line.isError;
