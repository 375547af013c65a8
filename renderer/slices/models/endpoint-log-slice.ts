import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { OutputLine } from '../../../daemon/contract/apps/runs.ts';
import type { EndpointRef } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import type { EndpointLog, EndpointLogLine } from '../../../daemon/contract/endpoints/endpoint-log.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import { MAX_LINES, newestLines } from '../apps/output-buffer.ts';
import type { GetState, Reducers, SetState } from '../base/slice.ts';

/** The newest output of one endpoint, the one whose log is open. */
export interface OpenLog {
  readonly of: EndpointRef;
  /** null before the first answer. */
  readonly logId: string | null;
  /** Without gaps, oldest first. */
  readonly lines: readonly OutputLine[];
  /** The highest number known to exist. */
  readonly newest: number;
  /** Why the last load failed; null: it did not. */
  readonly error: DaemonError | null;
}

export interface EndpointLogSlice {
  readonly openLog: OpenLog | null;
  /** Opens the log of an endpoint; its newest lines follow. @returns a function that closes it */
  readonly openEndpointLog: (of: EndpointRef) => () => void;
  /** Loads the lines that are missing. */
  readonly fillEndpointLog: () => Promise<void>;
}

export function createEndpointLogSlice(
  set: SetState<EndpointLogSlice>,
  get: GetState<EndpointLogSlice>,
  call: DaemonClient['call'],
): EndpointLogSlice {
  let filling: OpenLog['of'] | null = null;
  const isOpen = (of: EndpointRef) => get().openLog?.of === of;
  async function fill(of: EndpointRef): Promise<void> {
    for (;;) {
      const log = get().openLog;
      if (log?.of !== of || !isBehind(log)) return;
      const query = log.logId === null ? {} : { after: missingAfter(log) };
      const page = await call('getEndpointLog', { params: { ...of }, query });
      if (!isOpen(of)) return;
      set(({ openLog }) => ({ openLog: openLog && withPage(openLog, page) }));
      if (page.lines.length === 0) return;
    }
  }
  return {
    openLog: null,
    openEndpointLog(given) {
      const of = { ...given }; // this opening: another one of the same endpoint is another object
      set({ openLog: { of, logId: null, lines: [], newest: 0, error: null } });
      return () => set(({ openLog }) => (openLog?.of === of ? { openLog: null } : {}));
    },
    async fillEndpointLog() {
      const of = get().openLog?.of;
      if (!of || filling === of) return;
      filling = of;
      try {
        await fill(of);
      } catch (error) {
        const failure = asDaemonError(error);
        set(({ openLog }) => ({ openLog: openLog?.of === of ? { ...openLog, error: failure } : openLog }));
      } finally {
        if (filling === of) filling = null;
      }
    },
  };
}

export const endpointLogReducers: Reducers<EndpointLogSlice> = {
  /** The daemon may be another one, or lines were missed. */
  snapshot: ({ openLog }) => ({ openLog: openLog && { ...openLog, logId: null } }),
  'endpoint-log.grew': ({ openLog }, { last, ...of }) =>
    openLog && endpointId(openLog.of) === endpointId(of) ? { openLog: { ...openLog, newest: last } } : {},
};

/** Whether lines are known to be missing. */
function isBehind({ logId, lines, newest }: OpenLog): boolean {
  return logId === null || newest !== (lines.at(-1)?.number ?? 0);
}

/** The `after` of the next page: what is older than the lines that are kept is not asked for. */
function missingAfter({ lines, newest }: OpenLog): number {
  const last = lines.at(-1)?.number ?? 0;
  return newest < last ? 0 : Math.max(last, newest - MAX_LINES);
}

function withPage(log: OpenLog, { logId, last, lines: added }: EndpointLog): OpenLog {
  const isSame = log.logId === logId;
  const lastLine = log.lines.at(-1)?.number ?? 0;
  const isNext = isSame && (added[0]?.number ?? lastLine + 1) === lastLine + 1;
  const lines = newestLines([...(isNext ? log.lines : []), ...added.map(outputLine)]);
  return { ...log, logId, lines, newest: isSame ? Math.max(last, lines.at(-1)?.number ?? 0) : last, error: null };
}

/** A line as the output of an app: lines that tell of errors are those of its stderr. */
export function outputLine({ number, text, truncated, isError, at }: EndpointLogLine): OutputLine {
  return { number, text, truncated, at, stream: isError ? 'stderr' : 'stdout' };
}
