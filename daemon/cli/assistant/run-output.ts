import { styleText } from 'node:util';
import type { DaemonClient } from '../../client/calls.ts';
import type { CheckFinding } from '../../contract/apps/own-apps.ts';
import type { OutputLine } from '../../contract/apps/runs.ts';
import type { Job } from '../../contract/jobs.ts';
import { visibleText } from '../../shared/display-text.ts';
import { inStretches, lostText } from '../shared/line-reading.ts';
import { ProgressLine } from '../shared/progress-line.ts';
import { findingsText } from './findings-text.ts';

/** Prints the output of the runs of an app as it comes: lines that no event brings are asked for by their numbers. */
export class RunOutput {
  readonly #client: DaemonClient;
  readonly #printer: RunPrinter;
  #runId: string | null = null;
  #printed = 0;

  constructor(client: DaemonClient, printer: RunPrinter) {
    this.#client = client;
    this.#printer = printer;
  }

  /** Goes on after the lines of a run that was under way before. */
  skip(runId: string, last: number): void {
    this.#runId = runId;
    this.#printed = last;
  }

  /** Lines of a run; with a gap before them, the daemon is asked for what is missing. */
  async appended(runId: string, lines: readonly OutputLine[]): Promise<void> {
    this.#begin(runId);
    const fresh = lines.filter(({ number }) => number > this.#printed);
    if (fresh[0] && fresh[0].number > this.#printed + 1) await this.catchUp(runId, fresh.at(-1)?.number);
    else this.#print(fresh);
  }

  /** Reads what is not printed yet. @param upTo the number of the last line that is wanted */
  async catchUp(runId: string, upTo = Number.POSITIVE_INFINITY): Promise<void> {
    this.#begin(runId);
    while (this.#printed < upTo) {
      const page = await this.#client.call('getRunOutput', { params: { runId }, query: { after: this.#printed } });
      this.#print(page.lines);
      const isAtEnd = this.#printed >= page.last || page.lines.length === 0;
      if (isAtEnd && page.last > this.#printed) {
        this.#printer.lost(page.last - this.#printed);
        this.#printed = page.last;
      }
      if (isAtEnd) return;
    }
  }

  #begin(runId: string): void {
    if (this.#runId !== runId) this.skip(runId, 0);
  }

  #print(lines: readonly OutputLine[]): void {
    for (const { lost, lines: stretch } of inStretches(lines, this.#printed)) {
      if (lost > 0) this.#printer.lost(lost);
      for (const line of stretch) this.#printer.line(line);
    }
    this.#printed = lines.at(-1)?.number ?? this.#printed;
  }
}

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
    this.note(lostText(lines));
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
