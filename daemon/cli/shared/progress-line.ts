import { clearLine, cursorTo } from 'node:readline';
import { byteText, byteTextOf } from '../../contract/common/byte-text.ts';
import type { Transfer } from '../../contract/common/progress.ts';
import type { Job } from '../../contract/jobs.ts';
import { visibleText } from '../../shared/display-text.ts';

/**
 * Shows the steps of long work on standard error: on a terminal in one line that is rewritten, else a line for each step
 * as it begins.
 */
export class ProgressLine implements Disposable {
  #begun = 0;
  /** null: the terminal's line is not ours. */
  #shown: string | null = null;

  /** The steps of a job, each with its detail or its download. */
  showJob({ steps, detail, transfer }: Pick<Job, 'steps' | 'detail' | 'transfer'>): void {
    const last = steps.findLastIndex(({ state }) => state !== 'pending');
    const step = steps[last];
    if (!step) return;
    if (process.stderr.isTTY) {
      const more = transfer ? transferText(transfer) : detail;
      this.#rewrite(`[${last + 1}/${steps.length}] ${step.title}${more ? `: ${more}` : '…'}`);
    } else {
      for (; this.#begun <= last; this.#begun += 1) this.#line(`${steps[this.#begun]?.title}…`);
    }
  }

  /** One thing that the work waits for; the same text twice is shown once. */
  showText(text: string): void {
    if (process.stderr.isTTY) this.#rewrite(text);
    else if (text !== this.#lastText) this.#line(text);
    this.#lastText = text;
  }
  #lastText = '';

  /** Removes the line, so that other output begins in its place. */
  clear(): void {
    if (this.#shown === null) return;
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
    this.#shown = null;
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #rewrite(text: string): void {
    const room = Math.max(20, (process.stderr.columns || 80) - 1);
    const visible = visibleText(text);
    if (visible === this.#shown) return;
    this.clear();
    process.stderr.write(visible.length > room ? `${visible.slice(0, room - 1)}…` : visible);
    this.#shown = visible;
  }

  #line(text: string): void {
    process.stderr.write(`${visibleText(text)}\n`);
  }
}

/** `45 %, 54 of 120 MB, 2.3 MB/s` */
function transferText({ doneBytes, totalBytes, bytesPerSecond, stalled }: Transfer): string {
  const amount =
    totalBytes === null || totalBytes === 0
      ? byteText(doneBytes)
      : `${Math.floor((100 * doneBytes) / totalBytes)} %, ${byteTextOf(doneBytes, totalBytes)}`;
  if (stalled) return `${amount}, waiting for the server`;
  return bytesPerSecond > 0 ? `${amount}, ${byteText(bytesPerSecond)}/s` : amount;
}

/** Shows the steps of work of this process like those of a job. */
export function stepProgress(
  steps: readonly { readonly name: string; readonly title: string }[],
  line: ProgressLine,
  signal: AbortSignal,
) {
  let current = -1;
  const show = (detail: string | null) =>
    line.showJob({
      steps: steps.map((step, index) => ({ ...step, state: index > current ? 'pending' : 'running' })),
      detail,
      transfer: null,
    });
  return {
    signal,
    step: (name: string) => {
      current = steps.findIndex((step) => step.name === name);
      show(null);
    },
    detail: (text: string) => show(text),
    log: () => {},
  };
}
