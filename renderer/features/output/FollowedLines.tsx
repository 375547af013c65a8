import { Button } from '@mantine/core';
import { useDeferredValue, useLayoutEffect } from 'react';
import type { OutputLine } from '../../../daemon/contract/apps/runs.ts';
import { DownIcon } from '../../parts/icons.tsx';
import { useFollowTail } from '../../parts/use-follow-tail.ts';
import { OutputLines } from './OutputLines.tsx';
import './output.css';

interface FollowedLinesProps {
  readonly lines: readonly OutputLine[];
  /** The name of the box for screen readers. */
  readonly label: string;
  /** The text while there are no lines. */
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
