import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { OutputLine } from '../../../daemon/contract/apps/runs.ts';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { CopyButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { counted } from '../../parts/format.ts';
import { PauseIcon, StartIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { plainLines } from '../../parts/plain-lines.ts';
import { type OpenLog, outputLine } from '../../slices/models/endpoint-log-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { FollowedPages } from '../output/FollowedPages.tsx';
import { filterQuery, isFiltered, noFilter, OutputFilter } from '../output/OutputFilter.tsx';
import { FollowedLines } from '../output/OutputLines.tsx';
import { SaveFile } from '../output/SaveFile.tsx';
import { errorLinesHelp, noLogText } from './endpoint-page-text.ts';

/** The output of the processes of an endpoint as it comes; it can be searched, paused, copied and saved. */
export function EndpointLogPanel({ detail: { namespace, endpoint } }: { readonly detail: EndpointDetail }) {
  const { name } = endpoint;
  const log = useOpenLog(namespace, name);
  const call = useDashboard((s) => s.call);
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
        <OutputFilter filter={filter} onChange={setFilter} errorsTitle={errorLinesHelp} />
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
            fetchFile={() => call('getEndpointLogFile', { params: { namespace, name }, query: filterQuery(filter) })}
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
        <FollowedPages
          // Another log counts its lines from 1 again.
          of={['endpoint-log', namespace, name, shown?.logId ?? null]}
          filter={filter}
          newest={shown?.newest ?? null}
          ask={(query) => async (ask, signal) => {
            const page = await ask('getEndpointLog', { params: { namespace, name }, query, signal });
            return { ...page, lines: page.lines.map(outputLine) };
          }}
          failure="The log could not be searched"
          whole="this log"
        >
          {!filtered && <SmallButton onClick={() => setByPages(false)}>Follow the newest</SmallButton>}
        </FollowedPages>
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
      <FollowedLines lines={lines} label={`Output of ${name}`} none={noLogText} />
    </>
  );
}
