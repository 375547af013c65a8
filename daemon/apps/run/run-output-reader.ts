import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OutputLine } from '../../contract/apps/runs.ts';
import { readTextFile } from '../../shared/files/json-file.ts';
import { segmentName } from './run-output.ts';

/** A range of a run's stored output. Lines that came too fast to be stored are missing. */
export interface StoredOutput {
  readonly firstKept: number;
  readonly last: number;
  readonly lines: OutputLine[];
}

/**
 * Reads at most `count` lines after line `after`; without it the newest ones.
 * @returns null when no output of the run is stored
 */
export async function readOutput(dir: string, count: number, after?: number): Promise<StoredOutput | null> {
  const firsts = await segmentsIn(dir);
  if (!firsts) return null;
  const newest = await newestLines(dir, firsts, count);
  const last = newest.at(-1)?.number ?? 0;
  const oldest = firsts[0] ?? 1;
  const isInNewest = after === undefined || (newest[0]?.number ?? 0) <= after + 1;
  if (isInNewest) return { firstKept: oldest, last, lines: newest.filter(({ number }) => number > (after ?? 0)) };
  return { firstKept: oldest, last, lines: await linesAfter(dir, firsts, count, after) };
}

/** The number of the oldest stored line; null when there is none. */
export async function firstKept(dir: string): Promise<number | null> {
  return (await segmentsIn(dir))?.[0] ?? null;
}

/** The numbers of the segments' first lines, oldest first. */
async function segmentsIn(dir: string): Promise<number[] | null> {
  const names = await readdir(dir).catch(() => null);
  const firsts = names?.flatMap((name) => /^(\d+)\.ndjson$/.exec(name)?.[1] ?? []).map(Number);
  return firsts?.sort((a, b) => a - b) ?? null;
}

async function newestLines(dir: string, firsts: readonly number[], count: number): Promise<OutputLine[]> {
  let lines: OutputLine[] = [];
  for (const first of firsts.toReversed()) {
    const texts = await segmentLines(dir, first);
    lines = [...parsed(texts.slice(-(count - lines.length))), ...lines];
    if (lines.length >= count) break;
  }
  return lines;
}

async function linesAfter(dir: string, firsts: readonly number[], count: number, after: number): Promise<OutputLine[]> {
  const from = Math.max(
    0,
    firsts.findLastIndex((first) => first <= after + 1),
  );
  const lines: OutputLine[] = [];
  for (const first of firsts.slice(from)) {
    const texts = (await segmentLines(dir, first)).filter((text) => numberOf(text) > after);
    lines.push(...parsed(texts.slice(0, count - lines.length)));
    if (lines.length >= count) break;
  }
  return lines;
}

/** The lines of a segment as JSON, without an incomplete one at its end. */
async function segmentLines(dir: string, first: number): Promise<string[]> {
  const text = await readTextFile(join(dir, segmentName(first))).catch(() => null); // null: just dropped, or unreadable
  return (text ?? '').split('\n').slice(0, -1);
}

/** Reads the number at the beginning of a line without parsing the JSON. */
function numberOf(text: string): number {
  return Number.parseInt(text.slice('{"number":'.length, 32), 10) || 0;
}

function parsed(texts: readonly string[]): OutputLine[] {
  return texts.flatMap((text) => {
    try {
      return [OutputLine.parse(JSON.parse(text))];
    } catch {
      return []; // damaged
    }
  });
}
