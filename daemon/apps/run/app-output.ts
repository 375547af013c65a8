import type { OutputLine, OutputPage } from '../../contract/apps/runs.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import type { Now } from '../../shared/clock.ts';

/** The newest lines and characters that are kept of a run; older ones go first. */
export const KEPT_LINES = 5_000;
export const KEPT_CHARACTERS = 2 * 1024 * 1024;
/** The most lines that a page of the REST interface holds. */
export const PAGE_LINES = 500;
/** New lines are told to pages at this pace, at most so many at once; what is beyond is a gap that a page may fetch. */
const PUBLISH_EVERY_MS = 50;
const PUBLISH_LINES = 200;

/** What the app of the current run has written, or that of the last one: bounded, numbered, told to pages. */
export class AppOutput {
  readonly #publish: Publish;
  readonly #now: Now;
  #run: { runId: string; appName: string } | null = null;
  #lines: OutputLine[] = [];
  #characters = 0;
  #last = 0;
  #published = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: { publish: Publish; now: Now }) {
    this.#publish = deps.publish;
    this.#now = deps.now;
  }

  /** Forgets the run before. */
  begin(runId: string, appName: string): void {
    this.flush();
    this.#run = { runId, appName };
    this.#lines = [];
    this.#characters = 0;
    this.#last = 0;
    this.#published = 0;
  }

  append(stream: OutputLine['stream'], text: string, truncated: boolean): void {
    this.#last += 1;
    this.#lines.push({ number: this.#last, stream, text, truncated, at: this.#now().toISOString() });
    this.#characters += text.length;
    if (this.#lines.length > KEPT_LINES || this.#characters > KEPT_CHARACTERS) this.#forgetOldest();
    this.#timer ??= setTimeout(() => this.flush(), PUBLISH_EVERY_MS);
  }

  /** The number of the newest line; 0: there is none. */
  get last(): number {
    return this.#last;
  }

  /** The newest lines, oldest first. */
  newest(count: number): readonly OutputLine[] {
    return this.#lines.slice(-count);
  }

  /** At most so many of the lines that are still kept after the one of that number. */
  after(number: number, count: number): readonly OutputLine[] {
    const from = Math.max(0, number + 1 - this.#first);
    return this.#lines.slice(from, from + count);
  }

  /** Takes over what is left of a run of an earlier daemon. Nobody is told: no page is there yet. */
  restore(runId: string, appName: string, lines: readonly OutputLine[]): void {
    this.begin(runId, appName);
    // Without holes, as the numbers of what is kept are counted from the first.
    const hole = lines.findLastIndex(({ number }, index) => number !== (lines[index - 1]?.number ?? 0) + 1);
    this.#lines = lines.slice(Math.max(0, hole));
    this.#characters = this.#lines.reduce((sum, { text }) => sum + text.length, 0);
    this.#last = this.#lines.at(-1)?.number ?? 0;
    this.#published = this.#last;
  }

  /** At most PAGE_LINES lines after the line of that number; without a number the newest ones. */
  page(after?: number): OutputPage {
    return {
      runId: this.#run?.runId ?? null,
      appName: this.#run?.appName ?? null,
      firstKept: this.#first,
      last: this.#last,
      lines: [...(after === undefined ? this.newest(PAGE_LINES) : this.after(after, PAGE_LINES))],
    };
  }

  get #first(): number {
    return this.#lines[0]?.number ?? this.#last + 1;
  }

  /** Tells pages at once what they have not been told yet. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const from = this.#published + 1;
    if (!this.#run || from > this.#last) return;
    this.#published = this.#last;
    const lines = this.#lines.slice(Math.max(0, this.#lines.length - Math.min(this.#last - from + 1, PUBLISH_LINES)));
    const told = lines[0]?.number ?? this.#last + 1;
    if (told > from) this.#publish({ type: 'app-output.gap', ...this.#run, from, to: told - 1 });
    this.#publish({ type: 'app-output.appended', ...this.#run, lines });
  }

  #forgetOldest(): void {
    // An eighth more than needed, so that a flood does not move the whole array for every line.
    let drop = Math.max(this.#lines.length - KEPT_LINES + KEPT_LINES / 8, 0);
    let freed = 0;
    for (let index = 0; index < drop; index++) freed += this.#lines[index]?.text.length ?? 0;
    while (this.#characters - freed > KEPT_CHARACTERS * 0.875 && drop < this.#lines.length) {
      freed += this.#lines[drop]?.text.length ?? 0;
      drop += 1;
    }
    this.#lines = this.#lines.slice(drop);
    this.#characters -= freed;
  }
}
