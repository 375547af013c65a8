import { styleText } from 'node:util';
import type { CheckFinding } from '../../../contract/apps/own-apps.ts';
import type { OutputLine } from '../../../contract/apps/runs.ts';
import type { Job } from '../../../contract/jobs.ts';
import { visibleText } from '../../../shared/display-text.ts';
import { ProgressLine } from '../../shared/progress-line.ts';
import { findingsText } from '../findings-text.ts';

/**
 * Prints an app's output, and our own lines between it: those on standard error, so that standard output has the app's alone.
 * Colours are for terminals that show them.
 */
export class RunPrinter implements Disposable {
  readonly #progress = new ProgressLine();

  line({ stream, text }: OutputLine): void {
    this.#progress.clear();
    const visible = visibleText(text);
    if (stream === 'stdout') process.stdout.write(`${visible}\n`);
    else process.stderr.write(`${styleText('red', visible, { stream: process.stderr })}\n`);
  }

  /** A line of our own. */
  note(text: string): void {
    this.#own(text, 'dim');
  }

  /** Something that the author has to do. */
  problem(text: string, findings: readonly CheckFinding[] = []): void {
    this.#own(text, 'yellow');
    process.stderr.write(findingsText(findings, process.stderr));
  }

  lost(lines: number): void {
    this.note(`(${lines} ${lines === 1 ? 'line is' : 'lines are'} not kept.)`);
  }

  job(job: Job): void {
    if (job.endedAt === null) this.#progress.showJob(job);
    else this.#progress.clear();
  }

  [Symbol.dispose](): void {
    this.#progress.clear();
  }

  #own(text: string, style: 'dim' | 'yellow'): void {
    this.#progress.clear();
    const lines = text.split('\n').map((line) => styleText(style, visibleText(line), { stream: process.stderr }));
    process.stderr.write(`${lines.join('\n')}\n`);
  }
}
