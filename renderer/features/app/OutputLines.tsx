import { memo } from 'react';
import type { OutputLine } from '../../../daemon/contract/apps/runs.ts';
import { exactTime } from '../../parts/format.ts';

const CHUNK = 50;

/**
 * Renders lines in chunks by line number. A full chunk never renders again, and the browser skips the layout of chunks
 * out of sight (`content-visibility`), so 2,000 lines cost little more than the newest ones.
 */
export function OutputLines({ lines }: { readonly lines: readonly OutputLine[] }) {
  const chunks = new Map<number, OutputLine[]>();
  for (const line of lines) {
    const key = Math.floor((line.number - 1) / CHUNK);
    const chunk = chunks.get(key);
    if (chunk) chunk.push(line);
    else chunks.set(key, [line]);
  }
  return [...chunks].map(([key, chunk]) => <Chunk key={key} lines={chunk} />);
}

interface ChunkProps {
  readonly lines: readonly OutputLine[];
}

const Chunk = memo(
  ({ lines }: ChunkProps) => (
    <div className="output-chunk">
      {lines.map((line) => (
        <Line key={line.number} line={line} />
      ))}
    </div>
  ),
  sameLines,
);

/** Lines never change, so comparing the first and the last is enough. */
function sameLines({ lines: a }: ChunkProps, { lines: b }: ChunkProps): boolean {
  return a[0] === b[0] && a.at(-1) === b.at(-1);
}

function Line({ line: { number, stream, text, truncated, at } }: { readonly line: OutputLine }) {
  return (
    <div className={`output-line output-${stream}`} title={exactTime(at)}>
      <span className="output-number" aria-hidden="true">
        {number}
      </span>
      <span className="output-stream">{stream === 'stderr' ? 'err' : ''}</span>
      <span className="output-text">
        {text}
        {truncated && <em className="muted"> … cut here, the line is longer</em>}
      </span>
    </div>
  );
}
