import { randomBytes } from 'node:crypto';
import type { EndpointLog, EndpointLogFile, EndpointLogLine } from '../../contract/endpoints/endpoint-log.ts';
import type { Clock } from '../../shared/clock.ts';
import { visibleText } from '../../shared/display-text.ts';
import { isErrorLine } from './error-line.ts';

/** Limits of what is kept; the oldest lines go first. */
export const MAX_LINES = 5_000;
export const MAX_CHARACTERS = 1024 * 1024;
/** The largest page. */
const PAGE_LINES = 1_000;
const PAGE_CHARACTERS = 256 * 1024;
/** The least time between two reports of growth. */
const REPORT_MS = 250;

/** The wanted lines. */
export interface LogQuery {
  /** Only lines after this number: the oldest of them. Without it the newest lines. */
  readonly after?: number | undefined;
  /** Only lines that contain this text, in upper or lower case. */
  readonly text?: string | undefined;
  /** Only lines that tell of errors. */
  readonly errors?: boolean | undefined;
}

/** The output of all processes of an endpoint, in the order of its arrival: numbered, bounded, in memory. */
export class EndpointOutput {
  readonly logId = randomBytes(6).toString('hex');
  readonly #clock: Clock;
  readonly #onGrew: () => void;
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
    this.#lines.push({ number: this.#last, text, truncated, isError: isErrorLine(text), at });
    this.#characters += text.length;
    if (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS) this.#dropOldest();
    if (this.#isReportDue) return;
    this.#isReportDue = true;
    this.#clock.after(REPORT_MS, () => {
      this.#isReportDue = false;
      this.#onGrew();
    });
  }

  page({ after, text = '', errors = false }: LogQuery = {}): EndpointLog {
    const wanted = text.toLowerCase();
    const matching =
      wanted === '' && !errors
        ? this.#lines
        : this.#lines.filter((line) => (!errors || line.isError) && line.text.toLowerCase().includes(wanted));
    return {
      logId: this.logId,
      firstKept: this.#lines[0]?.number ?? this.#last + 1,
      last: this.#last,
      matches: matching.length,
      lines: after === undefined ? bounded(matching.toReversed()).reverse() : bounded(matching, after),
    };
  }

  /** Everything that is kept, as a text file: characters that steer a terminal are escapes. */
  file(name: string): EndpointLogFile {
    const first = this.#lines[0]?.number ?? 1;
    const head = first > 1 ? [`# The ${first - 1} oldest lines were not kept.`] : [];
    const lines = this.#lines.map(({ at, text, truncated }) => {
      const visible = text.split('\t').map(visibleText).join('\t');
      return `${at} ${visible}${truncated ? ' … cut here' : ''}`;
    });
    const now = this.#clock
      .now()
      .toISOString()
      .slice(0, 19)
      .split(/[^0-9T]/)
      .join('-');
    return { name: `${name}-${now}.txt`, text: [`# ${name}`, ...head, ...lines, ''].join('\n') };
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

/** The first lines after a number, as many as a page holds; at least one. */
function bounded(lines: readonly EndpointLogLine[], after = 0): EndpointLogLine[] {
  const found: EndpointLogLine[] = [];
  let characters = 0;
  for (const line of lines) {
    if (line.number <= after) continue;
    characters += line.text.length;
    if (found.length === PAGE_LINES || (found.length > 0 && characters > PAGE_CHARACTERS)) break;
    found.push(line);
  }
  return found;
}
