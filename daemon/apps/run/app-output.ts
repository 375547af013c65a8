import type { OutputLine, OutputPage } from '../../contract/apps/runs.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import type { Clock } from '../../shared/clock.ts';
import { newestWithin, oldestWithin } from '../../shared/line-selection.ts';

/** Largest page of lines. Its characters are bounded too, since a page of the longest lines would be 4 MB to parse. */
export const PAGE_LINES = 500;
export const PAGE_CHARACTERS = 256 * 1024;

/** Limits of a run's output in memory; the oldest lines are dropped first. */
export const MAX_LINES = 5_000;
export const MAX_CHARACTERS = 2 * 1024 * 1024;
/** New lines are published at this interval, at most so many at once; older ones become a gap that a page may fetch. */
const PUBLISH_EVERY_MS = 50;
const PUBLISH_LINES = 200;
export const PUBLISH_CHARACTERS = 64 * 1024;

/** The output of the current or last run: bounded, numbered and published to pages. */
export class AppOutput {
  readonly #publish: Publish;
  readonly #clock: Clock;
  #run: { runId: string; appName: string } | null = null;
  #lines: OutputLine[] = [];
  #characters = 0;
  #last = 0;
  #published = 0;
  #cancelFlush: (() => void) | null = null;

  constructor(deps: { publish: Publish; clock: Clock }) {
    this.#publish = deps.publish;
    this.#clock = deps.clock;
  }

  /** Starts the output of a new run and drops the one before. */
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
    this.#lines.push({ number: this.#last, stream, text, truncated, at: this.#clock.now().toISOString() });
    this.#characters += text.length;
    if (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS) this.#dropOldest();
    this.#cancelFlush ??= this.#clock.after(PUBLISH_EVERY_MS, () => this.flush());
  }

  /** The current or last run; null: none since the daemon started. */
  get run(): { readonly runId: string; readonly appName: string } | null {
    return this.#run;
  }

  /** The number of the newest line; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The newest lines, oldest first. */
  newest(count: number): readonly OutputLine[] {
    return this.#lines.slice(-count);
  }

  /** At most `count` of the lines after line `number` that are still in memory. */
  after(number: number, count: number): readonly OutputLine[] {
    const from = Math.max(0, number + 1 - this.#first);
    return this.#lines.slice(from, from + count);
  }

  /** Loads the output of a run of an earlier daemon. Publishes nothing, as no page is connected yet. */
  restore(runId: string, appName: string, lines: readonly OutputLine[]): void {
    this.begin(runId, appName);
    // Line numbers are counted from the first line in memory, so lines before a gap are dropped.
    const gap = lines.findLastIndex(({ number }, index) => number !== (lines[index - 1]?.number ?? 0) + 1);
    this.#lines = lines.slice(Math.max(0, gap));
    this.#characters = this.#lines.reduce((sum, { text }) => sum + text.length, 0);
    this.#last = this.#lines.at(-1)?.number ?? 0;
    this.#published = this.#last;
  }

  /**
   * At most PAGE_LINES lines and PAGE_CHARACTERS: the oldest after line `after`; without it the newest, before line
   * `before` if that is given.
   */
  page({
    after,
    before = this.#last + 1,
  }: {
    after?: number | undefined;
    before?: number | undefined;
  } = {}): OutputPage {
    const end = Math.max(0, before - this.#first);
    const lines =
      after === undefined
        ? newestWithin(this.#lines.slice(Math.max(0, end - PAGE_LINES), end), PAGE_CHARACTERS)
        : oldestWithin(this.after(after, PAGE_LINES), PAGE_CHARACTERS).filter(({ number }) => number < before);
    return {
      runId: this.#run?.runId ?? null,
      appName: this.#run?.appName ?? null,
      firstKept: this.#first,
      last: this.#last,
      lines: [...lines],
    };
  }

  get #first(): number {
    return this.#lines[0]?.number ?? this.#last + 1;
  }

  /** Publishes the pending lines at once. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    const from = this.#published + 1;
    if (!this.#run || from > this.#last) return;
    this.#published = this.#last;
    const lines = newestWithin(this.newest(Math.min(this.#last - from + 1, PUBLISH_LINES)), PUBLISH_CHARACTERS);
    const firstPublished = lines[0]?.number ?? this.#last + 1;
    if (firstPublished > from) this.#publish({ type: 'app-output.gap', ...this.#run, from, to: firstPublished - 1 });
    this.#publish({ type: 'app-output.appended', ...this.#run, lines: [...lines] });
  }

  #dropOldest(): void {
    // An eighth more than needed, so that a flood does not move the whole array for every line.
    let drop = Math.max(this.#lines.length - MAX_LINES + MAX_LINES / 8, 0);
    let freed = 0;
    for (let index = 0; index < drop; index++) freed += this.#lines[index]?.text.length ?? 0;
    while (this.#characters - freed > MAX_CHARACTERS * 0.875 && drop < this.#lines.length) {
      freed += this.#lines[drop]?.text.length ?? 0;
      drop += 1;
    }
    this.#lines = this.#lines.slice(drop);
    this.#characters -= freed;
  }
}
