import { Buffer } from 'node:buffer';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputLine } from '../../../contract/apps/runs.ts';
import { type Clock, sleepOn } from '../../../shared/clock.ts';
import type { Logger } from '../../../shared/logger.ts';

/** Limit of a run's output on disk; the oldest part of a longer one is dropped. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Output is stored in segments, so that the oldest part can be dropped by removing a file. */
export const SEGMENT_BYTES = 512 * 1024;
/** Lines are written in batches at this interval. Output faster than the memory limit allows leaves gaps. */
export const WRITE_EVERY_MS = 250;
const WRITE_LINES = 500;
const WRITE_CHARACTERS = 64 * 1024;

/** File name of the segment that begins with line `first`. */
export const segmentName = (first: number): string => `${first}.ndjson`;

/** The output in memory. Lines are read from it when they are written, so no second buffer is needed. */
interface WrittenLines {
  readonly last: number;
  after(number: number, count: number): readonly OutputLine[];
}

interface Segment {
  readonly path: string;
  bytes: number;
}

/** Writes the output of one run to its folder, bounded, without slowing down the app. */
export class RunOutput {
  readonly #clock: Clock;
  readonly #dir: string;
  readonly #lines: WrittenLines;
  readonly #log: Logger;
  readonly #closing = new AbortController();
  readonly #segments: Segment[] = [];
  #file: FileHandle | null = null;
  #written = 0;
  #writing: Promise<void> | null = null;
  #failed = false;

  constructor(deps: { clock: Clock; dir: string; lines: WrittenLines; log: Logger }) {
    this.#clock = deps.clock;
    this.#dir = deps.dir;
    this.#lines = deps.lines;
    this.#log = deps.log;
  }

  /** Schedules writing the new lines. */
  changed(): void {
    if (this.#failed || this.#closing.signal.aborted) return;
    this.#writing ??= this.#writeSoon().finally(() => {
      this.#writing = null;
      if (this.#written < this.#lines.last) this.changed();
    });
  }

  /** Writes the remaining lines. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    await this.#write();
    await this.#file?.close().catch((error: unknown) => this.#fail(error));
    this.#file = null;
  }

  async #writeSoon(): Promise<void> {
    await sleepOn(this.#clock, WRITE_EVERY_MS, this.#closing.signal).catch(() => {});
    await this.#write();
  }

  /**
   * Writes the lines present now. Later ones wait for the next interval, so that a flood does not keep the disk busy.
   */
  async #write(): Promise<void> {
    const until = this.#lines.last;
    try {
      while (this.#written < until && !this.#failed) {
        const lines = firstBatch(this.#lines.after(this.#written, WRITE_LINES));
        const [first, last] = [lines[0], lines.at(-1)];
        if (!first || !last) return;
        await this.#append(first.number, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        this.#written = last.number;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  async #append(first: number, text: string): Promise<void> {
    let segment = this.#segments.at(-1);
    if (!this.#file || !segment || segment.bytes >= SEGMENT_BYTES) {
      await this.#file?.close();
      this.#file = null;
      segment = { path: join(this.#dir, segmentName(first)), bytes: 0 };
      await mkdir(this.#dir, { recursive: true });
      this.#file = await open(segment.path, 'a', 0o600);
      this.#segments.push(segment);
    }
    segment.bytes += Buffer.byteLength(text);
    await this.#file.appendFile(text);
    await this.#dropOldest();
  }

  async #dropOldest(): Promise<void> {
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
    while (bytes > MAX_BYTES && this.#segments.length > 1) {
      const oldest = this.#segments.shift() as Segment;
      bytes -= oldest.bytes;
      await rm(oldest.path, { force: true });
    }
  }

  /** Stops writing, for example to a full disk. The app and its output on the pages go on. */
  #fail(error: unknown): void {
    if (!this.#failed) this.#log.error(`apps: the output in ${this.#dir} could not be saved`, error);
    this.#failed = true;
  }
}

/** The first lines, up to the limit of one write: serializing long ones takes time. */
function firstBatch(lines: readonly OutputLine[]): readonly OutputLine[] {
  let characters = 0;
  const end = lines.findIndex(({ text }) => {
    characters += text.length;
    return characters > WRITE_CHARACTERS;
  });
  return end === -1 ? lines : lines.slice(0, end + 1);
}
