import type { Readable } from 'node:stream';
import { LineSplitter } from '../../shared/processes/line-splitter.ts';

const MAX_LINES = 1_000;
const MAX_LINE = 1_000;

/** The newest lines of a replica's output, bounded in number and length. */
export class ReplicaLog {
  readonly #lines: string[] = [];

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  add(line: string): void {
    this.#lines.push(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** Reads a stream to its end. Resolves then; never rejects. */
  read(output: Readable): Promise<void> {
    const splitter = new LineSplitter((line) => this.add(line));
    output.on('data', (chunk: Buffer) => splitter.write(chunk));
    return new Promise((resolve) => {
      const finish = () => {
        splitter.end();
        resolve();
      };
      output.once('close', finish);
      output.once('error', finish);
    });
  }
}
