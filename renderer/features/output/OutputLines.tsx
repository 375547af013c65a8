import { Button } from '@mantine/core';
import { type CSSProperties, memo, type ReactNode, useDeferredValue, useLayoutEffect } from 'react';
import type { OutputLine } from '../../../daemon/contract/apps/runs.ts';
import { exactTime } from '../../parts/format.ts';
import { DownIcon } from '../../parts/icons.tsx';
import { useFollowTail } from '../../parts/use-follow-tail.ts';
import './output.css';

const CHUNK = 50;
/** The height of a line that does not wrap, in pixels. */
const LINE_PX = 20;
/** The newest lines, more than are in sight at once. */
const TAIL_LINES = 150;
const TAIL_CHARACTERS = 32 * 1024;
/** The browser skips the layout of each longer line that is out of sight. */
const LONG_LINE = 200;
/** About the length of a row of a line that wraps. */
const ROW_CHARACTERS = 100;
/** More occurrences in a line are not marked: a letter occurs thousands of times in a long line. */
const MAX_MARKS = 20;

interface OutputLinesProps extends ChunkProps {
  /** Renders the newest lines only, below the room of the others: while they alone are in sight. */
  readonly tailOnly?: boolean;
}

/**
 * Renders lines in chunks by line number. A full chunk never renders again, and the browser skips the layout of chunks
 * out of sight (`content-visibility`). When there are others to render, that is done in pieces, between the user's input.
 */
export function OutputLines({ lines, find = '', tailOnly = false }: OutputLinesProps) {
  const all = useDeferredValue(lines, noLines);
  const findInAll = useDeferredValue(find);
  if (tailOnly) {
    const tail = tailOf(lines);
    return (
      <>
        <div style={{ height: (lines.length - tail.length) * LINE_PX }} />
        <Chunks lines={tail} find={find} />
      </>
    );
  }
  return <Chunks lines={all} find={findInAll} />;
}

function tailOf(lines: readonly OutputLine[]): readonly OutputLine[] {
  let characters = 0;
  const oldest = lines.length - TAIL_LINES;
  const last = lines.length - 1;
  const end = lines.findLastIndex(({ text }, index) => {
    characters += text.length;
    return index < oldest || (characters > TAIL_CHARACTERS && index < last);
  });
  return lines.slice(end + 1);
}

const noLines: readonly OutputLine[] = [];

function Chunks({ lines, find }: ChunkProps) {
  const chunks = new Map<number, OutputLine[]>();
  for (const line of lines) {
    const key = Math.floor((line.number - 1) / CHUNK);
    const chunk = chunks.get(key);
    if (chunk) chunk.push(line);
    else chunks.set(key, [line]);
  }
  return [...chunks].map(([key, chunk]) => <Chunk key={key} lines={chunk} {...(find && { find })} />);
}

interface ChunkProps {
  readonly lines: readonly OutputLine[];
  /** The text to mark in them, in upper or lower case. */
  readonly find?: string;
}

const Chunk = memo(
  ({ lines, find = '' }: ChunkProps) => (
    <div className="output-chunk">
      {lines.map((line) => (
        <Line key={line.number} line={line} find={find} />
      ))}
    </div>
  ),
  sameLines,
);

/** Lines never change, so comparing their number, the first and the last is enough. */
function sameLines({ lines: a, find }: ChunkProps, { lines: b, find: other }: ChunkProps): boolean {
  return find === other && a.length === b.length && a[0] === b[0] && a.at(-1) === b.at(-1);
}

function Line({ line, find }: { readonly line: OutputLine; readonly find: string }) {
  const { number, stream, text, truncated, at } = line;
  return (
    <div
      className={`output-line output-${stream}`}
      title={exactTime(at)}
      {...(text.length > LONG_LINE && { style: skippedOutOfSight(text) })}
    >
      <span className="output-number" aria-hidden="true">
        {number}
      </span>
      <span className="output-stream">{stream === 'stderr' ? 'err' : ''}</span>
      <span className="output-text">
        {find ? marked(text, find) : text}
        {truncated && <em className="muted"> … cut here, the line is longer</em>}
      </span>
    </div>
  );
}

function skippedOutOfSight({ length }: string): CSSProperties {
  const height = Math.ceil(length / ROW_CHARACTERS) * LINE_PX;
  return { contentVisibility: 'auto', containIntrinsicBlockSize: `auto ${height}px` };
}

/** The text with the first occurrences of `find` marked. */
function marked(text: string, find: string): ReactNode {
  const [lower, wanted] = [text.toLowerCase(), find.toLowerCase()];
  if (lower.length !== text.length) return text; // the places would differ
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1 && parts.length < 2 * MAX_MARKS; at = lower.indexOf(wanted, from)) {
    const end = at + wanted.length;
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, end)}</mark>);
    from = end;
  }
  return [...parts, text.slice(from)];
}

interface FollowedLinesProps {
  readonly lines: readonly OutputLine[];
  readonly label: string;
  readonly none: string;
}

/** The newest lines of an output in a box that shows its end, until its reader scrolls up. */
export function FollowedLines({ lines, label, none }: FollowedLinesProps) {
  const { box, following, onScroll, jumpToNewest } = useFollowTail(lines);
  const tailOnly = useDeferredValue(following);
  useLayoutEffect(() => {
    if (tailOnly && box.current) box.current.scrollTop = box.current.scrollHeight; // its height was an estimate
  }, [tailOnly, box]);
  return (
    <div className="output-frame">
      <div
        className="output-box"
        ref={box}
        onScroll={onScroll}
        role="log"
        aria-label={label}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        {lines.length === 0 && <p className="output-none muted">{none}</p>}
        <OutputLines lines={lines} tailOnly={tailOnly} />
      </div>
      {!following && (
        <Button className="output-jump" size="compact-sm" leftSection={<DownIcon size={14} />} onClick={jumpToNewest}>
          Jump to newest
        </Button>
      )}
    </div>
  );
}
