import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { counted } from '../../parts/format.ts';
import { DownIcon, RefreshIcon } from '../../parts/icons.tsx';
import { LogText } from '../../parts/LogText.tsx';
import { useFollowTail } from '../../parts/use-follow-tail.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { replicaText, trafficText } from './endpoint-text.ts';

/** The processes of an endpoint and their newest output, loaded while it is open and with each change of the endpoint. */
export function EndpointLogPanel({ id, ownEndpoint }: { readonly id: string; readonly ownEndpoint: OwnEndpoint }) {
  const { endpoint, report, traffic } = ownEndpoint;
  const closeEndpointLog = useDashboard((s) => s.closeEndpointLog);
  const { log, refresh } = useEndpointLog(ownEndpoint);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on unmount only
  useEffect(() => () => closeEndpointLog(ownEndpoint), []);
  const connected = useDashboard(isConnected);
  const lines = log?.value?.lines ?? null;
  return (
    <section className="endpoint-log stack" id={id} aria-label={`Log of ${endpoint.name}`}>
      <dl className="facts">
        <Fact name="Program">{report.runtime ?? 'none yet'}</Fact>
        <Fact name="Processes">
          {report.replicas.length === 0
            ? 'none'
            : report.replicas.map((replica) => (
                <span className="endpoint-replica" key={replica.pid}>
                  {replicaText(replica)}
                </span>
              ))}
        </Fact>
        <Fact name="Requests">{trafficText(traffic)}</Fact>
        <Fact name="OpenAI clients">
          use <span className="mono">{endpoint.status.url}/v1</span>
        </Fact>
      </dl>
      <div className="card output-card">
        <div className="output-bar">
          <p className="muted small" role="note">
            {log?.state === 'failed' ? `The log could not be loaded: ${log.error.message}` : summary(lines)}
          </p>
          <div className="row">
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<RefreshIcon size={14} />}
              disabled={!connected}
              onClick={refresh}
              aria-label={`Refresh the log of ${endpoint.name}`}
            >
              Refresh
            </Button>
            <CopyButton
              text={() => (lines ?? []).join('\n')}
              name={`Copy the log of ${endpoint.name}`}
              copied="Copied"
              disabled={!lines?.length}
            />
          </div>
        </div>
        <LogLines name={endpoint.name} lines={lines} />
      </div>
    </section>
  );
}

/** Loads the log now and with each new listing: an endpoint has changed then. */
function useEndpointLog(ownEndpoint: OwnEndpoint) {
  const loadEndpointLog = useDashboard((s) => s.loadEndpointLog);
  const loadEndpoints = useDashboard((s) => s.loadEndpoints);
  const log = useDashboard((s) => s.endpointLogs[endpointKey(ownEndpoint)]);
  const connected = useDashboard(isConnected);
  const listing = useDashboard((s) => s.endpointPage?.value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new listing loads again
  useEffect(() => {
    if (connected) void loadEndpointLog(ownEndpoint);
  }, [connected, listing]);
  // The listing has the memory in use.
  return { log, refresh: () => void loadEndpoints(String(listing?.page ?? 1)) };
}

function LogLines({ name, lines }: { readonly name: string; readonly lines: readonly string[] | null }) {
  const { box, following, onScroll, jumpToNewest } = useFollowTail(lines);
  return (
    <div className="output-frame">
      <div
        className="output-box endpoint-log-box"
        ref={box}
        onScroll={onScroll}
        role="log"
        aria-label={`Output of ${name}`}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        {lines?.length === 0 && <p className="muted">No output yet. It appears when a process starts.</p>}
        <LogText lines={lines ?? []} />
      </div>
      {!following && (
        <Button className="output-jump" size="compact-sm" leftSection={<DownIcon size={14} />} onClick={jumpToNewest}>
          Jump to newest
        </Button>
      )}
    </div>
  );
}

function summary(lines: readonly string[] | null): string {
  if (lines === null) return 'Loading…';
  return lines.length >= 1000 ? 'The newest 1,000 lines' : counted(lines.length, 'line');
}
