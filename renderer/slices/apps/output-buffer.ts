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

/** Adds new lines. Lines beyond a gap are dropped and only raise `newest`, so that they are loaded later. */
export function withLines(buffer: OutputBuffer, lines: readonly OutputLine[]): OutputBuffer {
  const newest = Math.max(buffer.newest, lines.at(-1)?.number ?? 0);
  return trimmed({ ...buffer, newest, lines: merged(buffer.lines, lines) });
}

/** Notes that lines up to that number exist. */
export function withNewest(buffer: OutputBuffer, newest: number): OutputBuffer {
  return newest <= buffer.newest ? buffer : trimmed({ ...buffer, newest });
}

/**
 * Merges a page from the daemon or a snapshot. A page of another run replaces the buffer, and so does one after lines that
 * nobody has any more.
 */
export function withPage(buffer: OutputBuffer, page: OutputPage): OutputBuffer {
  if (page.runId === null || page.appName === null) return emptyOutput;
  const same = page.runId === buffer.runId ? buffer : outputOfRun(page.runId, page.appName);
  const isCutOff = page.firstKept > (same.lines.at(-1)?.number ?? 0) + 1;
  const kept = isCutOff ? { ...same, lines: [] } : same;
  return withNewest({ ...withLines(kept, page.lines), firstKept: page.firstKept }, page.last);
}

/** A page to ask the daemon for: the lines after a number, or before one. */
export type PageQuery = { readonly after: number } | { readonly before: number };

/** The next page to load, or null when nothing is missing. */
export function missingPage(buffer: OutputBuffer): PageQuery | null {
  const { lines, firstKept, newest, tooLong } = buffer;
  const oldestWanted = Math.max(firstKept, newest - MAX_LINES + 1, tooLong + 1);
  const first = lines[0]?.number;
  const last = lines.at(-1)?.number;
  if (newest === 0 || oldestWanted > newest) return null;
  if (first === undefined || last === undefined) return { after: oldestWanted - 1 };
  if (last < newest) return { after: last };
  return first > oldestWanted ? { before: first } : null;
}

function merged(current: readonly OutputLine[], lines: readonly OutputLine[]): readonly OutputLine[] {
  const [first, last] = [current[0]?.number, current.at(-1)?.number];
  if (first === undefined || last === undefined) return lines;
  const [from, to] = [lines[0]?.number, lines.at(-1)?.number];
  if (from === undefined || to === undefined || from > last + 1 || to < first - 1) return current;
  const before = lines.filter(({ number }) => number < first);
  const after = lines.filter(({ number }) => number > last);
  return before.length + after.length === 0 ? current : [...before, ...current, ...after];
}

function trimmed(buffer: OutputBuffer): OutputBuffer {
  const oldest = buffer.newest - MAX_LINES + 1;
  let characters = 0;
  const end = buffer.lines.findLastIndex(({ number, text }) => {
    characters += text.length;
    return number < oldest || characters > MAX_CHARACTERS;
  });
  const newestDropped = buffer.lines[end]?.number;
  if (newestDropped === undefined) return buffer;
  const tooLong = newestDropped < oldest ? buffer.tooLong : newestDropped;
  return { ...buffer, tooLong, lines: buffer.lines.slice(end + 1) };
}
