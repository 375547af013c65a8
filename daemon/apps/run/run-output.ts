import { Buffer } from 'node:buffer';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutputLine } from '../../contract/apps/runs.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import { readTextFile } from '../../shared/files/json-file.ts';
import type { Logger } from '../../shared/logger.ts';

/** Limit of a run's output on disk; the oldest part of a longer one is dropped. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Output is stored in segments, so that the oldest part can be dropped by removing a file. */
export const SEGMENT_BYTES = 512 * 1024;
/** Lines are written in batches at this interval. Output faster than the memory limit allows leaves gaps. */
export const WRITE_EVERY_MS = 250;
const WRITE_LINES = 500;
const WRITE_CHARACTERS = 64 * 1024;

/** File name of the segment that begins with line `first`. */
const segmentName = (first: number): string => `${first}.ndjson`;

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

/** Lines that are parsed without a break: a few milliseconds. */
const PARSED_AT_ONCE = 1_000;

/**
 * Reads the newest lines of a run's stored output, oldest first. Lines that came too fast to be stored are missing.
 * @returns null when no output of the run is stored
 */
export async function readNewest(dir: string, count: number): Promise<OutputLine[] | null> {
  const firsts = await segmentsIn(dir);
  if (!firsts) return null;
  let lines: OutputLine[] = [];
  for (const first of firsts.toReversed()) {
    const texts = await segmentLines(dir, first);
    lines = [...parsed(texts.slice(-(count - lines.length))), ...lines];
    if (lines.length >= count) break;
  }
  return lines;
}

/**
 * Reads all stored lines of a run, oldest first, one segment of the disk at a time.
 * @returns null when no output of the run is stored
 */
export async function readAll(dir: string): Promise<AsyncIterable<readonly OutputLine[]> | null> {
  const firsts = await segmentsIn(dir);
  return firsts && segments(dir, firsts);
}

async function* segments(dir: string, firsts: readonly number[]): AsyncGenerator<readonly OutputLine[]> {
  for (const first of firsts) {
    const texts = await segmentLines(dir, first);
    for (let index = 0; index < texts.length; index += PARSED_AT_ONCE) {
      yield parsed(texts.slice(index, index + PARSED_AT_ONCE));
      await nextTurn(); // the robot is driven in between
    }
  }
}

/** The numbers of the segments' first lines, oldest first. */
async function segmentsIn(dir: string): Promise<number[] | null> {
  const names = await readdir(dir).catch(() => null);
  const firsts = names?.flatMap((name) => /^(\d+)\.ndjson$/.exec(name)?.[1] ?? []).map(Number);
  return firsts?.sort((a, b) => a - b) ?? null;
}

/** The lines of a segment as JSON, without an incomplete one at its end. */
async function segmentLines(dir: string, first: number): Promise<string[]> {
  const text = await readTextFile(join(dir, segmentName(first))).catch(() => null); // null: just dropped, or unreadable
  return (text ?? '').split('\n').slice(0, -1);
}

/** Checks by hand, since a schema would take several times as long, and the daemon alone writes these files. */
function parsed(texts: readonly string[]): OutputLine[] {
  return texts.flatMap((text) => {
    try {
      const line = JSON.parse(text) as OutputLine;
      const { number, text: written, stream, truncated, at } = line;
      const isLine = Number.isInteger(number) && typeof written === 'string' && typeof truncated === 'boolean';
      return isLine && (stream === 'stdout' || stream === 'stderr') && isTime(at)
        ? [{ number, stream, text: written, truncated, at }]
        : [];
    } catch {
      return []; // damaged
    }
  });
}

const isTime = (at: unknown) => typeof at === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(at);
