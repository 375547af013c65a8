import { useId } from 'react';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import type { EndpointRef } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointHistory, EndpointSample } from '../../../daemon/contract/endpoints/endpoint-history.ts';
import { counted, duration } from '../../parts/format.ts';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Section } from '../../parts/Section.tsx';
import { useHistory } from './use-endpoint.ts';
import '../../parts/figures.css';

interface UseChartsProps {
  readonly of: EndpointRef;
  /** Of its replicas now, in bytes; 0: it has none, null: unknown. */
  readonly memoryNow: number | null;
}

/** The requests, the latency and the memory of an endpoint over the last hour: as charts, and as a table. */
export function UseCharts({ of, memoryNow }: UseChartsProps) {
  const asked = useHistory(of);
  return (
    <Section title="The last hour">
      <LoadedPart of={asked} failure="Its use could not be loaded" rows={3}>
        {(history) => <Charts history={history} memoryNow={memoryNow} />}
      </LoadedPart>
    </Section>
  );
}

function Charts({ history, memoryNow }: { readonly history: EndpointHistory; readonly memoryNow: number | null }) {
  const { samples, everySeconds } = history;
  const perMinute = 60 / everySeconds;
  const requests = sum(samples, (sample) => sample.requests);
  const failed = sum(samples, (sample) => sample.failed);
  const busiest = (most(samples, (sample) => sample.requests) ?? 0) * perMinute;
  const latency = most(samples, ({ latencyMs }) => latencyMs?.p50 ?? null);
  const lastLatency = samples.findLast(({ latencyMs }) => latencyMs !== null)?.latencyMs?.p50 ?? null;
  const memory = most(samples, ({ memoryBytes }) => memoryBytes);
  const failedText = failed > 0 ? `, ${failed} failed` : '';
  return (
    <>
      <div className="charts">
        <Chart
          title="Requests"
          kind="bars"
          values={samples.map((sample) => sample.requests)}
          failed={samples.map((sample) => sample.failed)}
          headline={`${requests.toLocaleString()}${failedText}`}
          summary={`${counted(requests, 'request')} in the last hour${failedText}, at most ${busiest} a minute.`}
          top={busiest > 0 ? `up to ${busiest} a minute` : ''}
        />
        <Chart
          title="Answer time"
          kind="line"
          values={samples.map(({ latencyMs }) => latencyMs?.p50 ?? null)}
          headline={lastLatency === null ? 'none' : duration(lastLatency)}
          summary={
            latency === null
              ? 'No answer in the last hour.'
              : `Median time to the whole answer in half a minute: ${duration(lastLatency ?? 0)} now, at most ${duration(latency)}.`
          }
          top={latency === null ? '' : `up to ${duration(latency)}`}
        />
        <Chart
          title="Memory"
          kind="line"
          values={samples.map(({ memoryBytes }) => memoryBytes)}
          headline={nowText(memoryNow)}
          summary={
            memory === null
              ? notMeasured(memoryNow, everySeconds)
              : `Now ${nowText(memoryNow)}, at most ${byteText(memory)}.`
          }
          top={memory === null ? '' : `up to ${byteText(memory)}`}
        />
      </div>
      <details className="chart-table">
        <summary className="small">As a table</summary>
        <UseTable history={history} />
      </details>
    </>
  );
}

function nowText(memoryNow: number | null): string {
  if (memoryNow === null) return 'unknown';
  return memoryNow === 0 ? 'none' : byteText(memoryNow);
}

/** The memory before its first measurement in the hour that is shown. */
function notMeasured(memoryNow: number | null, everySeconds: number): string {
  return memoryNow
    ? `${byteText(memoryNow)} now, measured every ${everySeconds} s.`
    : 'No memory was measured in the last hour.';
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

/** A line through the values; it is interrupted where there are none. A single value is a dot. */
function line(values: readonly (number | null)[], max: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  let isDrawing = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const point = `${round(index * step)} ${round(HEIGHT - 2 - (value / max) * (HEIGHT - 4))}`;
      const part = isDrawing ? `L${point}` : `M${point}h0.01`;
      isDrawing = true;
      return part;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 100) / 100;
