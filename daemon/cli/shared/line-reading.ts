/** A page of numbered lines: of a run's output, or of the log of an endpoint. Numbers count from 1. */
interface LinePage<Line extends NumberedLine> {
  /** Another one counts its lines from 1 again. */
  readonly logId: string;
  /** The number of the oldest line kept. */
  readonly firstKept: number;
  /** The number of the newest line; 0: none. */
  readonly last: number;
  readonly matches: number;
  readonly before: number;
  readonly lines: readonly Line[];
}

interface NumberedLine {
  readonly number: number;
}

/** Reads a page: the newest one, or the one before or after a line. */
export type ReadPage<Page> = (query?: { readonly before?: number; readonly after?: number }) => Promise<Page>;

/** Lines without a gap between them. */
export interface Stretch<Line> {
  /** The number of lines before them that are not kept. */
  readonly lost: number;
  readonly lines: readonly Line[];
}

/** The newest `most` lines, from as many pages as they take. */
export async function newestLines<Page extends LinePage<NumberedLine>>(
  read: ReadPage<Page>,
  most: number,
): Promise<Page> {
  const log = await read();
  let { lines } = log;
  for (let [first] = lines; first && lines.length < most; [first] = lines) {
    const older = await read({ before: first.number });
    if (older.logId !== log.logId || older.lines.length === 0) break;
    lines = [...older.lines, ...lines];
  }
  const shown = lines.slice(Math.max(0, lines.length - most));
  return { ...log, before: log.matches - shown.length, lines: shown };
}

/**
 * The lines after one of them, and those that come. Another log, such as that of a restarted daemon, begins at its first line.
 * @param wait called when all lines are read; whether more may come
 */
export async function* linesAfter<Line extends NumberedLine>(
  read: ReadPage<LinePage<Line>>,
  from: { readonly logId: string; readonly after: number },
  wait: () => Promise<boolean>,
): AsyncGenerator<Stretch<Line>, void> {
  for (let { logId, after } = from, isOpen = true; ; ) {
    const log = await read({ after });
    if (log.logId !== logId) {
      ({ logId } = log);
      after = 0;
      continue;
    }
    const start = after + Math.max(0, Math.min(log.firstKept - 1, log.last) - after);
    const stretches = log.lines.length === 0 && start > after ? [{ lost: start - after, lines: [] }] : [];
    yield* stretches;
    yield* inStretches(log.lines, after);
    after = log.lines.at(-1)?.number ?? start;
    if (after < log.last) continue;
    if (!isOpen) return;
    isOpen = await wait(); // what came until then is read once more
  }
}

/** A line for a terminal in the place of lines that are not kept. */
export const lostText = (lost: number): string => `(${lost} ${lost === 1 ? 'line is' : 'lines are'} not kept.)`;

/** Lines in pieces without gaps. @param after the number of the line before them */
export function* inStretches<Line extends NumberedLine>(
  lines: readonly Line[],
  after: number,
): Generator<Stretch<Line>> {
  const lostBefore = (index: number) => (lines[index]?.number ?? 0) - (lines[index - 1]?.number ?? after) - 1;
  const starts = [...lines.keys()].filter((index) => index === 0 || lostBefore(index) !== 0);
  for (const [place, start] of starts.entries()) {
    yield { lost: Math.max(0, lostBefore(start)), lines: lines.slice(start, starts[place + 1]) };
  }
}
