import type { OutputLine, OutputPage } from '../contract/apps.ts';
import type { Now } from '../shared/clock.ts';
import type { Publish } from '../shared/event-bus.ts';

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

  /** The newest lines that `stream` carried, oldest first. */
  tail(count: number, stream: OutputLine['stream']): string[] {
    return this.#lines
      .filter((line) => line.stream === stream)
      .slice(-count)
      .map((line) => line.text);
  }

  /** At most PAGE_LINES lines after the line of that number; without a number the newest ones. */
  page(after?: number): OutputPage {
    const first = this.#lines[0]?.number ?? this.#last + 1;
    const from = after === undefined ? -PAGE_LINES : Math.max(0, after + 1 - first);
    const lines = after === undefined ? this.#lines.slice(from) : this.#lines.slice(from, from + PAGE_LINES);
    return {
      runId: this.#run?.runId ?? null,
      appName: this.#run?.appName ?? null,
      firstKept: first,
      last: this.#last,
      lines,
    };
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
