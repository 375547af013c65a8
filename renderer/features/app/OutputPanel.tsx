import { Button } from '@mantine/core';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { counted } from '../../parts/format.ts';
import { DownIcon } from '../../parts/icons.tsx';
import { useFollowTail } from '../../parts/use-follow-tail.ts';
import { missingAfter } from '../../slices/apps/output-buffer.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { OutputLines } from './OutputLines.tsx';
import './output.css';

/** Shows the output of the app's current or last run. */
export function OutputPanel({ appName }: { readonly appName: string }) {
  const output = useDashboard((s) => s.output);
  const { box, following, onScroll, jumpToNewest } = useFollowTail(output.lines);
  if (output.appName !== appName) {
    return (
      <p className="card muted">
        No output of {appName} here. It appears while the app runs; the output of earlier runs is under Runs.
      </p>
    );
  }
  const earlier = (output.lines[0]?.number ?? 1) - 1;
  const catchingUp = missingAfter(output) !== null;
  return (
    <div className="card output-card">
      <div className="output-bar">
        <p className="muted small" role="note">
          {summary(output.lines.length, earlier, catchingUp)}
        </p>
        <CopyButton
          text={() => output.lines.map(({ text }) => text).join('\n')}
          name="Copy output"
          copied={`${counted(output.lines.length, 'line')} copied`}
          disabled={output.lines.length === 0}
        />
      </div>
      <div className="output-frame">
        <div
          className="output-box"
          ref={box}
          onScroll={onScroll}
          role="log"
          aria-label="Output"
          aria-live="off"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
        >
          {output.lines.length === 0 && <p className="output-none muted">No output yet.</p>}
          <OutputLines lines={output.lines} />
        </div>
        {!following && (
          <Button className="output-jump" size="compact-sm" leftSection={<DownIcon size={14} />} onClick={jumpToNewest}>
            Jump to newest
          </Button>
        )}
      </div>
    </div>
  );
}

function summary(lines: number, earlier: number, catchingUp: boolean): string {
  if (catchingUp) return 'Loading more lines…';
  const shown = lines === 1 ? '1 line' : `${lines.toLocaleString()} lines`;
  return earlier > 0 ? `${shown}. ${earlier.toLocaleString()} earlier lines are no longer kept.` : shown;
}
