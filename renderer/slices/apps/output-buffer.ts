import type { OutputLine, OutputPage } from '../../../daemon/contract/apps/runs.ts';

/** The loaded output of one run. `lines` has no gaps: line numbers increase by 1. */
export interface OutputBuffer {
  readonly runId: string | null;
  readonly appName: string | null;
  readonly lines: readonly OutputLine[];
  /** The oldest line that the daemon still has, as last reported. */
  readonly firstKept: number;
  /** The highest line number known to exist. */
  readonly newest: number;
  /** Lines up to this number were dropped here, since those after them are long; 0: none. */
  readonly tooLong: number;
}

/** The newest lines are kept, at most so many lines and characters. */
export const MAX_LINES = 2_000;
export const MAX_CHARACTERS = 1024 * 1024;

export const emptyOutput: OutputBuffer = {
  runId: null,
  appName: null,
  lines: [],
  firstKept: 1,
  newest: 0,
  tooLong: 0,
};

export const outputOfRun = (runId: string, appName: string): OutputBuffer => ({ ...emptyOutput, runId, appName });

/**
 * Adds new lines. Lines beyond a gap replace those before it when the gap is too long to be loaded; else they only raise
 * `newest`, so that they are loaded later.
 */
export function withLines(buffer: OutputBuffer, lines: readonly OutputLine[]): OutputBuffer {
  const known = withNewest(buffer, lines.at(-1)?.number ?? 0);
  return trimmed({ ...known, lines: merged(known, lines) });
}

/** Notes that lines up to that number exist. The lines before them stay, however old, until newer ones are loaded. */
export function withNewest(buffer: OutputBuffer, newest: number): OutputBuffer {
  return newest <= buffer.newest ? buffer : { ...buffer, newest };
}

/** Merges a page from the daemon or a snapshot. A page of another run replaces the buffer. */
export function withPage(buffer: OutputBuffer, page: OutputPage): OutputBuffer {
  if (page.runId === null || page.appName === null) return emptyOutput;
  const same = page.runId === buffer.runId ? buffer : outputOfRun(page.runId, page.appName);
  return withLines(withNewest({ ...same, firstKept: page.firstKept }, page.last), page.lines);
}

/** A page to ask the daemon for: the lines after a number, or before one. */
export type PageQuery = { readonly after: number } | { readonly before: number };

/** The next page to load, or null when nothing is missing. */
export function missingPage(buffer: OutputBuffer): PageQuery | null {
  const { lines, newest } = buffer;
  const oldest = oldestWanted(buffer);
  const first = lines[0]?.number;
  const last = lines.at(-1)?.number ?? 0;
  if (newest === 0 || oldest > newest) return null;
  if (last < newest) return { after: Math.max(last, oldest - 1) };
  return first !== undefined && first > oldest ? { before: first } : null;
}

/** The number of the oldest line that the buffer could have once everything is loaded. */
const oldestWanted = ({ firstKept, newest, tooLong }: OutputBuffer): number =>
  Math.max(firstKept, newest - MAX_LINES + 1, tooLong + 1);

function merged(buffer: OutputBuffer, lines: readonly OutputLine[]): readonly OutputLine[] {
  const current = buffer.lines;
  const [first, last] = [current[0]?.number, current.at(-1)?.number];
  if (first === undefined || last === undefined) return lines;
  const [from, to] = [lines[0]?.number, lines.at(-1)?.number];
  if (from === undefined || to === undefined || to < first - 1) return current;
  if (from > last + 1) return last + 1 < oldestWanted(buffer) ? lines : current;
  const before = lines.filter(({ number }) => number < first);
  const after = lines.filter(({ number }) => number > last);
  return before.length + after.length === 0 ? current : [...before, ...current, ...after];
}

function trimmed(buffer: OutputBuffer): OutputBuffer {
  const lines = newestLines(buffer.lines);
  const dropped = buffer.lines.length - lines.length;
  const newestDropped = buffer.lines[dropped - 1]?.number;
  if (newestDropped === undefined) return buffer;
  const isForTheirNumber = dropped <= buffer.lines.length - MAX_LINES;
  return { ...buffer, tooLong: isForTheirNumber ? buffer.tooLong : newestDropped, lines };
}

/** The newest lines, as many as are kept. */
export function newestLines(lines: readonly OutputLine[]): readonly OutputLine[] {
  const oldest = lines.length - MAX_LINES;
  let characters = 0;
  const end = lines.findLastIndex(({ text }, index) => {
    characters += text.length;
    return index < oldest || characters > MAX_CHARACTERS;
  });
  return end < 0 ? lines : lines.slice(end + 1);
}
