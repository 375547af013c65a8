import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutputLine } from '../../../contract/apps/runs.ts';
import { readTextFile } from '../../../shared/files/json-file.ts';
import { segmentName } from './run-output.ts';

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
      const { number, text: said, stream, truncated, at } = line;
      const isLine = Number.isInteger(number) && typeof said === 'string' && typeof truncated === 'boolean';
      return isLine && (stream === 'stdout' || stream === 'stderr') && isTime(at)
        ? [{ number, stream, text: said, truncated, at }]
        : [];
    } catch {
      return []; // damaged
    }
  });
}

const isTime = (at: unknown) => typeof at === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(at);
