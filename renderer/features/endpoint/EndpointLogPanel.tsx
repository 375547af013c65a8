import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { OutputLine } from '../../../daemon/contract/apps/runs.ts';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { CopyButton, SmallButton } from '../../parts/buttons.tsx';
import { counted } from '../../parts/format.ts';
import { PauseIcon, StartIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { plainLines } from '../../parts/plain-lines.ts';
import { type OpenLog, outputLine } from '../../slices/models/endpoint-log-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { LinePages, newestPage, usePageTurn } from '../output/LinePages.tsx';
import { filterQuery, isFiltered, type LineFilter, noFilter, OutputFilter, useTyped } from '../output/OutputFilter.tsx';
import { FollowedLines } from '../output/OutputLines.tsx';
import { SaveFile } from '../output/SaveFile.tsx';

/** The output of the processes of an endpoint as it comes; it can be searched, paused, copied and saved. */
export function EndpointLogPanel({ detail: { namespace, endpoint } }: { readonly detail: EndpointDetail }) {
  const { name } = endpoint;
  const log = useOpenLog(namespace, name);
  const fetchFile = useDashboard((s) => s.fetchEndpointLogFile);
  const fillEndpointLog = useDashboard((s) => s.fillEndpointLog);
  const [filter, setFilter] = useState(noFilter);
  const [paused, setPaused] = useState<OpenLog | null>(null);
  const [byPages, setByPages] = useState(false);
  const shown = paused?.logId === log?.logId ? (paused ?? log) : log;
  const lines = shown?.lines ?? [];
  const filtered = isFiltered(filter);
  return (
    <section className="card output-card" aria-label={`Log of ${name}`}>
      <div className="output-bar">
        <OutputFilter
          filter={filter}
          onChange={setFilter}
          errorsTitle="Lines that tell of errors: by their level, or by their words where a line has none"
        />
        <div className="row">
          <SmallButton
            leftSection={paused ? <StartIcon size={14} /> : <PauseIcon size={14} />}
            onClick={() => setPaused(paused ? null : log)}
            disabled={!log}
          >
            {paused ? 'Go on' : 'Pause the log'}
          </SmallButton>
          <SaveFile
            name="the log"
            filter={filter}
            fetchFile={() => fetchFile({ namespace, name }, filterQuery(filter))}
          />
          {!filtered && !byPages && (
            <CopyButton
              text={() => plainLines(lines)}
              name="Copy the log"
              copied={`${counted(lines.length, 'line')} copied`}
              disabled={lines.length === 0}
            />
          )}
        </div>
      </div>
      {log?.error && (
        <FailedNote error={log.error} title="The log could not be loaded" onRetry={() => void fillEndpointLog()} />
      )}
      {filtered || byPages ? (
        <EndpointLogPages {...{ namespace, name, filter }} logId={shown?.logId ?? null} newest={shown?.newest ?? 0}>
          {!filtered && <SmallButton onClick={() => setByPages(false)}>Follow the newest</SmallButton>}
        </EndpointLogPages>
      ) : (
        <NewestLines
          {...{ name, lines }}
          newer={paused && log ? log.newest - paused.newest : null}
          onAll={() => setByPages(true)}
        />
      )}
    </section>
  );
}

/** Opens the log while the panel is shown. */
function useOpenLog(namespace: string, name: string): OpenLog | null {
  const openEndpointLog = useDashboard((s) => s.openEndpointLog);
  useEffect(() => openEndpointLog({ namespace, name }), [openEndpointLog, namespace, name]);
  const fillEndpointLog = useDashboard((s) => s.fillEndpointLog);
  useWhenConnected(fillEndpointLog, '');
  const log = useDashboard((s) => s.openLog);
  return log?.of.name === name && log.of.namespace === namespace ? log : null;
}

interface NewestLinesProps {
  readonly name: string;
  readonly lines: readonly OutputLine[];
  /** The lines that came since the log was paused; null: it is not paused. */
  readonly newer: number | null;
  /** Shows everything that is kept. */
  readonly onAll: () => void;
}

function NewestLines({ name, lines, newer, onAll }: NewestLinesProps) {
  const first = lines[0]?.number ?? 1;
  const last = lines.at(-1)?.number ?? 0;
  return (
    <>
      <p className="output-summary muted small" role="note">
        {first > 1 ? (
          <>
            The newest {lines.length.toLocaleString()} of {last.toLocaleString()} lines.{' '}
            <Button variant="default" size="compact-xs" onClick={onAll}>
              All that is kept of this log
            </Button>
          </>
        ) : (
          counted(lines.length, 'line')
        )}
        {newer !== null && ` Paused: ${counted(Math.max(0, newer), 'newer line')}.`}
      </p>
      <FollowedLines
        lines={lines}
        label={`Output of ${name}`}
        none="No output yet. It appears when a process starts."
      />
    </>
  );
}

interface EndpointLogPagesProps {
  readonly namespace: string;
  readonly name: string;
  readonly filter: LineFilter;
  /** Another log counts its lines from 1 again; null: not known yet. */
  readonly logId: string | null;
  /** The number of the newest line that is known to exist; 0: none. */
  readonly newest: number;
  /** More controls. */
  readonly children?: ReactNode;
}

/** The least time between two reads of a growing log. */
const REFRESH_MS = 1_500;

/** Pages of everything that is kept of an endpoint's log, or of the lines that match a filter; the newest first, which follows growth. */
function EndpointLogPages({ namespace, name, filter, logId, newest, children }: EndpointLogPagesProps) {
  const wanted = filterQuery({ text: useTyped(filter.text), errors: filter.errors });
  const [turn, turnTo] = usePageTurn(JSON.stringify([wanted, logId]));
  const query = { ...turn, ...wanted };
  const asked = useAsked(
    ['endpoint-log', namespace, name, query],
    async (call, signal) => {
      const { lines, ...counts } = await call('getEndpointLog', { params: { namespace, name }, query, signal });
      return { ...counts, lines: lines.map(outputLine), query };
    },
    true,
  );
  const { value, loading, again } = asked;
  const isBehind = turn === newestPage && !loading && value !== null && newest > value.last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is another function each time
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(again, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return (
    <LoadedPart of={asked} failure="The log could not be searched" onRetry={again} rows={6}>
      {(page) => (
        <LinePages page={page} loading={loading} turnTo={turnTo} whole="this log">
          {children}
        </LinePages>
      )}
    </LoadedPart>
  );
}
