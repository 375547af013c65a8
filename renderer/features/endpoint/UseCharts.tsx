import { useId } from 'react';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import type { EndpointRef } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointHistory, EndpointSample } from '../../../daemon/contract/endpoints/endpoint-history.ts';
import { counted, duration } from '../../parts/format.ts';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Section } from '../../parts/Section.tsx';
import { noRequestsText, noUseText } from './endpoint-page-text.ts';
import { useHistory } from './use-endpoint.ts';
import '../../parts/figures.css';

/** The requests, the answer time and the memory of an endpoint over the last hour: as charts of what there is, and as a table. */
export function UseCharts({ of }: { readonly of: EndpointRef }) {
  const asked = useHistory(of);
  return (
    <Section title="The last hour">
      <LoadedPart of={asked} failure="Its use could not be loaded" rows={3}>
        {(history) => <Charts history={history} />}
      </LoadedPart>
    </Section>
  );
}

function Charts({ history }: { readonly history: EndpointHistory }) {
  const { samples, everySeconds } = history;
  const perMinute = 60 / everySeconds;
  const requests = sum(samples, (sample) => sample.requests);
  const failed = sum(samples, (sample) => sample.failed);
  const busiest = (most(samples, (sample) => sample.requests) ?? 0) * perMinute;
  const latency = most(samples, ({ latencyMs }) => latencyMs?.p50 ?? null);
  const lastLatency = samples.findLast(({ latencyMs }) => latencyMs !== null)?.latencyMs?.p50 ?? 0;
  const memory = most(samples, ({ memoryBytes }) => memoryBytes);
  const failedText = failed > 0 ? `, ${failed} failed` : '';
  if (requests === 0 && memory === null) return <p className="muted small">{noUseText}</p>;
  return (
    <>
      {requests === 0 && <p className="muted small">{noRequestsText}</p>}
      <div className="charts">
        {requests > 0 && (
          <Chart
            title="Requests"
            kind="bars"
            values={samples.map((sample) => sample.requests)}
            failed={samples.map((sample) => sample.failed)}
            headline={`${requests.toLocaleString()}${failedText}`}
            summary={`${counted(requests, 'request')} in the last hour${failedText}, at most ${busiest} a minute.`}
            top={`up to ${busiest} a minute`}
          />
        )}
        {latency !== null && (
          <Chart
            title="Answer time"
            kind="line"
            values={samples.map(({ latencyMs }) => latencyMs?.p50 ?? null)}
            headline={duration(lastLatency)}
            summary={`Median time to the whole answer in half a minute: ${duration(lastLatency)} now, at most ${duration(latency)}.`}
            top={`up to ${duration(latency)}`}
          />
        )}
        {memory !== null && (
          // The memory of each replica now is in its row.
          <Chart
            title="Memory"
            kind="line"
            values={samples.map(({ memoryBytes }) => memoryBytes)}
            headline={`up to ${byteText(memory)}`}
            summary="in the last hour."
            top=""
          />
        )}
      </div>
      <details className="chart-table">
        <summary className="small">As a table</summary>
        <UseTable history={history} />
      </details>
    </>
  );
}

function UseTable({ history }: { readonly history: EndpointHistory }) {
  return (
    <div className="chart-table-box">
      <table className="figures">
        <caption className="visually-hidden">Use of the endpoint in steps of five minutes, newest first</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Requests</th>
            <th scope="col">Failed</th>
            <th scope="col">Answer time</th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(history).map(({ at, requests, failed, latencyMs, memoryBytes }) => (
            <tr key={at}>
              <th scope="row">
                <time dateTime={at}>{new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}</time>
              </th>
              <td>{requests}</td>
              <td>{failed}</td>
              <td>{latencyMs === null ? '–' : duration(latencyMs)}</td>
              <td>{memoryBytes === null ? '–' : byteText(memoryBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ROW_MINUTES = 5;

/** The samples in rows of five minutes, newest first. The latency of a row is the longest median of its samples, in ms. */
function rowsOf({ everySeconds, samples }: EndpointHistory) {
  const size = Math.max(1, Math.round((ROW_MINUTES * 60) / everySeconds));
  const rows = samples.flatMap(({ at }, from) => {
    if (from % size !== 0) return [];
    const part = samples.slice(from, from + size);
    return {
      at,
      requests: sum(part, ({ requests }) => requests),
      failed: sum(part, ({ failed }) => failed),
      latencyMs: most(part, ({ latencyMs }) => latencyMs?.p50 ?? null),
      memoryBytes: most(part, ({ memoryBytes }) => memoryBytes),
    };
  });
  return rows.reverse();
}

const sum = (samples: readonly EndpointSample[], of: (sample: EndpointSample) => number): number =>
  samples.reduce((total, sample) => total + of(sample), 0);

/** The largest value; null: there is none. */
function most(samples: readonly EndpointSample[], of: (sample: EndpointSample) => number | null): number | null {
  const values = samples.map(of).filter((value) => value !== null);
  return values.length === 0 ? null : Math.max(...values);
}

interface ChartProps {
  readonly title: string;
  /** The values over time, oldest first; null: none at that time. */
  readonly values: readonly (number | null)[];
  /** A part of each value that is shown in the colour of failures. */
  readonly failed?: readonly number[];
  readonly kind: 'bars' | 'line';
  /** The newest or the summed value, large. */
  readonly headline: string;
  /** The chart in a sentence, for those who do not see it. */
  readonly summary: string;
  /** The value at the upper edge. */
  readonly top: string;
}

const WIDTH = 240;
const HEIGHT = 56;

/** A small chart of an hour. Screen readers get its summary; the figures are in the table below. */
function Chart({ title, values, failed, kind, headline, summary, top }: ChartProps) {
  const id = useId();
  const max = Math.max(1e-9, ...values.map((value) => value ?? 0));
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <span className="muted small">{title}</span>
        <span className="chart-headline">{headline}</span>
        <span className="visually-hidden">{summary}</span>
      </figcaption>
      <svg className="chart-picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="chart-axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {kind === 'bars' ? (
          <>
            <path className="chart-bars" d={bars(values, max)} />
            {failed && <path className="chart-failed" d={bars(failed, max)} />}
          </>
        ) : (
          <path className="chart-line" d={line(values, max)} vectorEffect="non-scaling-stroke" />
        )}
      </svg>
      <p className="chart-scale muted" aria-hidden="true">
        <span>1 h ago</span>
        <span>{top}</span>
        <span>now</span>
      </p>
    </figure>
  );
}

function bars(values: readonly (number | null)[], max: number): string {
  const width = WIDTH / values.length;
  return values
    .map((value, index) => {
      if (!value) return '';
      const height = Math.max(1.5, (value / max) * (HEIGHT - 2));
      return `M${round(index * width)} ${HEIGHT}v${round(-height)}h${round(width * 0.8)}v${round(height)}z`;
    })
    .join('');
}

/** The length of a value without neighbours. */
const DASH = 6;

/** A line through the values; it is interrupted where there are none. A single value is a dash, which is seen. */
function line(values: readonly (number | null)[], max: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  const isMissing = (index: number) => (values[index] ?? null) === null;
  return values
    .map((value, index) => {
      if (value === null) return '';
      const y = round(HEIGHT - 2 - (value / max) * (HEIGHT - 4));
      if (!isMissing(index - 1)) return `L${round(index * step)} ${y}`;
      if (!isMissing(index + 1)) return `M${round(index * step)} ${y}`;
      return `M${round(Math.min(index * step, WIDTH - DASH))} ${y}h${DASH}`;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 100) / 100;
