import { type ReactNode, useState } from 'react';
import type { RunOutputPage } from '../../../daemon/contract/apps/runs.ts';
import { CopyButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { counted } from '../../parts/format.ts';
import { plainLines } from '../../parts/plain-lines.ts';
import { OutputLines } from './OutputLines.tsx';
import { pageText } from './output-text.ts';

/** A page of the kept lines of an output, of those that match a query. */
export type LinePage = Pick<RunOutputPage, 'lines' | 'before' | 'matches' | 'kept' | 'last'> & {
  /** The query that selected it. */
  readonly query: { readonly text?: string; readonly errors?: boolean };
};

interface LinePagesProps {
  readonly page: LinePage;
  readonly loading: boolean;
  readonly turnTo: (turn: Turn) => void;
  /** The output, in a sentence: `this run`. */
  readonly whole: string;
  readonly children?: ReactNode;
}

/** Shows a page of lines, how many there are, and leads to the pages before and after it. */
export function LinePages({ page, loading, turnTo, whole, children }: LinePagesProps) {
  const { lines, before, matches, kept, last, query } = page;
  const isFiltered = query.text !== undefined || query.errors === true;
  const isLast = before + lines.length >= matches;
  return (
    <>
      <div className="output-bar">
        <p className="muted small" role="status">
          {pageText({ isFiltered, shown: lines.length, before, matches, kept, last }, whole)}
        </p>
        <div className="row">
          {(before > 0 || !isLast) && (
            <>
              <SmallButton disabled={loading || before === 0} onClick={() => turnTo({ before: lines[0]?.number ?? 1 })}>
                Earlier lines
              </SmallButton>
              <SmallButton disabled={loading || isLast} onClick={() => turnTo({ after: lines.at(-1)?.number ?? 0 })}>
                Later lines
              </SmallButton>
            </>
          )}
          {children}
          <CopyButton
            text={() => plainLines(lines)}
            name="Copy these lines"
            copied={`${counted(lines.length, 'line')} copied`}
            disabled={lines.length === 0}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div className="output-box" role="log" aria-label="Lines" aria-live="off" tabIndex={0}>
        <OutputLines lines={lines} find={query.text ?? ''} />
      </div>
    </>
  );
}

/** A page of lines: the oldest after a number, or the newest before one. */
export interface Turn {
  readonly after?: number;
  readonly before?: number;
}

export const newestPage: Turn = {};

/** The page that is turned to. Another key begins with the newest page. */
export function usePageTurn(key: string): readonly [Turn, (turn: Turn) => void] {
  const [turned, setTurned] = useState<{ readonly key: string; readonly turn: Turn } | null>(null);
  return [turned?.key === key ? turned.turn : newestPage, (turn) => setTurned({ key, turn })];
}
