import type { EndpointLog, EndpointLogLine } from '../../contract/endpoints/endpoint-log.ts';

/** Reads a page of a log: the newest one, or the one before or after a line. */
export type ReadPage = (query?: { readonly before?: number; readonly after?: number }) => Promise<EndpointLog>;

/** The newest `most` lines, from as many pages as they take. */
export async function newestLines(read: ReadPage, most: number): Promise<EndpointLog> {
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

/** The lines after one of them, and those that come. Another log, such as that of a restarted daemon, begins at its first line. */
export async function* linesAfter(
  read: ReadPage,
  from: { readonly logId: string; readonly after: number },
  wait: () => Promise<void>,
): AsyncGenerator<{ readonly lines: readonly EndpointLogLine[]; readonly lost: number }, never> {
  for (let { logId, after } = from; ; ) {
    const log = await read({ after });
    if (log.logId !== logId) {
      ({ logId } = log);
      after = 0;
      continue;
    }
    const lost = Math.max(0, Math.min(log.firstKept - 1, log.last) - after);
    const last = log.lines.at(-1)?.number ?? after + lost;
    if (last > after) yield { lines: log.lines, lost };
    after = last;
    if (last >= log.last) await wait();
  }
}
