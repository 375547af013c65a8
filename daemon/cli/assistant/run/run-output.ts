import type { DaemonClient } from '../../../client/calls.ts';
import type { OutputLine } from '../../../contract/apps/runs.ts';
import { inStretches } from '../../shared/line-reading.ts';
import type { RunPrinter } from './run-printer.ts';

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
