import type { Readable } from 'node:stream';
import type { CardUse } from '../../contract/compute/graphics-cards.ts';
import { LineSplitter } from '../../shared/processes/line-splitter.ts';
import { CardLines } from './card-lines.ts';

const MAX_LINES = 1_000;
const MAX_LINE = 1_000;

/** Takes a line of a replica's output. `truncated`: it was longer. */
export type OnReplicaLine = (text: string, truncated: boolean) => void;

/** The newest lines of a replica's output, bounded in number and length. */
export class ReplicaLog {
  readonly #lines: string[] = [];
  readonly #onLine: OnReplicaLine;
  readonly #cardLines = new CardLines();

  constructor(onLine: OnReplicaLine) {
    this.#onLine = onLine;
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The part of the model on graphics cards, as the lines so far tell; null: they do not. */
  get cardUse(): CardUse | null {
    return this.#cardLines.use;
  }

  add(line: string, truncated = false): void {
    this.#cardLines.add(line);
    this.#onLine(line.slice(0, MAX_LINE), truncated || line.length > MAX_LINE);
    this.#lines.push(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** Reads a stream to its end. Resolves then; never rejects. */
  read(output: Readable): Promise<void> {
    const splitter = new LineSplitter((line, truncated) => this.add(line, truncated));
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
