import type { OutputLine, OutputPage } from '../../../daemon/contract/apps/runs.ts';

/** The output of one run as far as this page has it. `lines` has no holes: each number is the one before plus 1. */
export interface OutputBuffer {
  readonly runId: string | null;
  readonly appName: string | null;
  readonly lines: readonly OutputLine[];
  /** The oldest line that the daemon had when it last said so. */
  readonly firstKept: number;
  /** The newest line that is known to exist. */
  readonly newest: number;
}

export const MAX_LINES = 2_000;
const PAGE_LINES = 500;

export const emptyOutput: OutputBuffer = { runId: null, appName: null, lines: [], firstKept: 1, newest: 0 };

export const outputOfRun = (runId: string, appName: string): OutputBuffer => ({ ...emptyOutput, runId, appName });

/** Takes over what is new in `lines`; lines beyond a hole only tell that there is more to fetch. */
export function withLines(buffer: OutputBuffer, lines: readonly OutputLine[]): OutputBuffer {
  const newest = Math.max(buffer.newest, lines.at(-1)?.number ?? 0);
  return trimmed({ ...buffer, newest, lines: merged(buffer.lines, lines) });
}

/** Lines up to that number exist, wherever they are. */
export function withNewest(buffer: OutputBuffer, newest: number): OutputBuffer {
  return newest <= buffer.newest ? buffer : trimmed({ ...buffer, newest });
}

/** What the daemon answered, or what a snapshot holds. Another run's page replaces everything. */
export function withPage(buffer: OutputBuffer, page: OutputPage): OutputBuffer {
  if (page.runId === null || page.appName === null) return emptyOutput;
  const same = page.runId === buffer.runId ? buffer : outputOfRun(page.runId, page.appName);
  return withNewest({ ...withLines(same, page.lines), firstKept: page.firstKept }, page.last);
}

/** What to ask for next, as the `after` of a page, or null when nothing is missing. */
export function missingAfter(buffer: OutputBuffer): number | null {
  const { lines, firstKept, newest } = buffer;
  const oldestWanted = Math.max(firstKept, newest - MAX_LINES + 1);
  const first = lines[0]?.number;
  const last = lines.at(-1)?.number;
  if (newest === 0 || oldestWanted > newest) return null;
  if (first === undefined || last === undefined) return oldestWanted - 1;
  if (last < newest) return last;
  return first > oldestWanted ? Math.max(oldestWanted - 1, first - 1 - PAGE_LINES) : null;
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
  const outdated = (buffer.lines[0]?.number ?? oldest) < oldest;
  return outdated ? { ...buffer, lines: buffer.lines.filter(({ number }) => number >= oldest) } : buffer;
}
