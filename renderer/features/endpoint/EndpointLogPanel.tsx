import { Button } from '@mantine/core';
import { useDeferredValue, useEffect, useState } from 'react';
import type { OutputLine } from '../../../daemon/contract/apps/runs.ts';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { counted } from '../../parts/format.ts';
import { DownIcon, PauseIcon, StartIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { plainLines } from '../../parts/plain-lines.ts';
import { useFollowTail } from '../../parts/use-follow-tail.ts';
import type { OpenLog } from '../../slices/models/endpoint-log-slice.ts';
import { outputLine } from '../../slices/models/endpoint-log-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { isFiltered, type LineFilter, noFilter, OutputFilter } from '../app/OutputFilter.tsx';
import { OutputLines } from '../app/OutputLines.tsx';
import { SaveFile } from '../app/SaveFile.tsx';

/** The output of the processes of an endpoint as it comes; it can be searched, paused, copied and saved. */
export function EndpointLogPanel({ detail: { namespace, endpoint } }: { readonly detail: EndpointDetail }) {
  const { name } = endpoint;
  const log = useOpenLog(namespace, name);
  const fetchFile = useDashboard((s) => s.fetchEndpointLogFile);
  const fillEndpointLog = useDashboard((s) => s.fillEndpointLog);
  const [filter, setFilter] = useState(noFilter);
  const [paused, setPaused] = useState<OpenLog | null>(null);
  const shown = paused?.logId === log?.logId ? (paused ?? log) : log;
  const lines = shown?.lines ?? [];
  return (
    <section className="card output-card" aria-label={`Log of ${name}`}>
      <div className="output-bar">
        <OutputFilter filter={filter} onChange={setFilter} errorsTitle="Lines that tell of errors, by their words" />
        <div className="row">
          <Button
            variant="default"
            size="compact-sm"
            leftSection={paused ? <StartIcon size={14} /> : <PauseIcon size={14} />}
            onClick={() => setPaused(paused ? null : log)}
            disabled={!log}
          >
            {paused ? 'Go on' : 'Pause'}
          </Button>
          <SaveFile name="the log" fetchFile={() => fetchFile({ namespace, name })} />
          <CopyButton
            text={() => plainLines(lines)}
            name="Copy the log"
            copied={`${counted(lines.length, 'line')} copied`}
            disabled={lines.length === 0}
          />
        </div>
      </div>
      {log?.error && (
        <FailedNote error={log.error} title="The log could not be loaded" onRetry={() => void fillEndpointLog()} />
      )}
      {isFiltered(filter) ? (
        <FoundLines namespace={namespace} name={name} filter={filter} newest={shown?.newest ?? 0} />
      ) : (
        <NewestLines name={name} lines={lines} newer={paused && log ? log.newest - paused.newest : null} />
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
}

function NewestLines({ name, lines, newer }: NewestLinesProps) {
  const { box, following, onScroll, jumpToNewest } = useFollowTail(lines);
  const tailOnly = useDeferredValue(following);
  const first = lines[0]?.number ?? 1;
  const last = lines.at(-1)?.number ?? 0;
  return (
    <>
      <p className="output-summary muted small" role="note">
        {first > 1
          ? `The newest ${lines.length.toLocaleString()} of ${last.toLocaleString()} lines.`
          : counted(lines.length, 'line')}
        {newer !== null && ` Paused: ${counted(Math.max(0, newer), 'newer line')}.`}
      </p>
      <div className="output-frame">
        <div
          className="output-box"
          ref={box}
          onScroll={onScroll}
          role="log"
          aria-label={`Output of ${name}`}
          aria-live="off"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
        >
          {lines.length === 0 && <p className="output-none muted">No output yet. It appears when a process starts.</p>}
          <OutputLines lines={lines} tailOnly={tailOnly} />
        </div>
        {!following && (
          <Button className="output-jump" size="compact-sm" leftSection={<DownIcon size={14} />} onClick={jumpToNewest}>
            Jump to newest
          </Button>
        )}
      </div>
    </>
  );
}

interface FoundLinesProps {
  readonly namespace: string;
  readonly name: string;
  readonly filter: LineFilter;
  /** Growth asks again. */
  readonly newest: number;
}

/** The least time between two searches of a growing log. */
const SEARCH_MS = 1_500;
const TYPING_MS = 250;

function FoundLines({ namespace, name, filter, newest }: FoundLinesProps) {
  const text = useLate(filter.text.trim(), TYPING_MS);
  const grown = useLate(Math.floor(newest), SEARCH_MS);
  const query = { ...(text && { text }), ...(filter.errors && { errors: true }) };
  const { value, error, again } = useAsked(
    ['endpoint-log', namespace, name, query],
    (call, signal) => call('getEndpointLog', { params: { namespace, name }, query, signal }),
    true,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines ask again
  useEffect(() => {
    if (value && grown > value.last) again();
  }, [grown]);
  if (error) return <FailedNote error={error} title="The log could not be searched" onRetry={again} />;
  return (
    <>
      <p className="output-summary muted small" role="status">
        {value === null ? 'Searching…' : foundText(value)}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div className="output-box" role="log" aria-label="Lines" aria-live="off" tabIndex={0}>
        <OutputLines lines={(value?.lines ?? []).map(outputLine)} find={text} />
      </div>
    </>
  );
}

function foundText({
  matches,
  lines,
  last,
  firstKept,
}: {
  readonly matches: number;
  readonly lines: readonly unknown[];
  readonly last: number;
  readonly firstKept: number;
}): string {
  const kept = last - firstKept + 1;
  const found = `${matches.toLocaleString()} ${matches === 1 ? 'match' : 'matches'} in ${counted(kept, 'line')}`;
  return lines.length < matches ? `${found}, the newest ${lines.length.toLocaleString()} of them.` : `${found}.`;
}

/** The value, once it has not changed for some time, or after that time while it goes on changing. */
function useLate<T>(value: T, ms: number): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    if (late === value) return;
    const timer = setTimeout(() => setLate(value), ms);
    return () => clearTimeout(timer);
  }, [value, late, ms]);
  return late;
}
