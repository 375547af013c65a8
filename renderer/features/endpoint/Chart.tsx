import { useId } from 'react';

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
export function Chart({ title, values, failed, kind, headline, summary, top }: ChartProps) {
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
