import { useState } from 'react';
import { hrefOf } from '../../navigation/route.ts';
import { CopyButton } from '../../parts/actions/buttons.tsx';
import { counted } from '../../parts/format.ts';
import { plainLines } from '../../parts/plain-lines.ts';
import { missingPage, type OutputBuffer } from '../../slices/apps/output-buffer.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isFiltered, noFilter, OutputFilter } from '../output/OutputFilter.tsx';
import { FollowedLines } from '../output/OutputLines.tsx';
import { noOutputText } from './app-text.ts';
import { RunLines, SaveOutput } from './RunLines.tsx';
import '../output/output.css';

/** Shows the output of the app's current or last run: its newest lines as they come, or those that match a filter. */
export function OutputPanel({ appName }: { readonly appName: string }) {
  const output = useDashboard((s) => s.output);
  const [filter, setFilter] = useState(noFilter);
  if (output.appName !== appName || output.runId === null) {
    return (
      <p className="card muted">
        {noOutputText} <a href={hrefOf('apps', { appName, tab: 'runs' })}>Runs</a>.
      </p>
    );
  }
  return (
    <div className="card output-card">
      <div className="output-bar">
        <OutputFilter filter={filter} onChange={setFilter} />
        <div className="row">
          <SaveOutput key={output.runId} runId={output.runId} filter={filter} />
          {!isFiltered(filter) && (
            <CopyButton
              text={() => plainLines(output.lines)}
              name="Copy output"
              copied={`${counted(output.lines.length, 'line')} copied`}
              disabled={output.lines.length === 0}
            />
          )}
        </div>
      </div>
      {isFiltered(filter) ? (
        <RunLines key={output.runId} runId={output.runId} filter={filter} />
      ) : (
        <NewestLines output={output} appName={appName} />
      )}
    </div>
  );
}

function NewestLines({ output, appName }: { readonly output: OutputBuffer; readonly appName: string }) {
  const { lines, newest, runId } = output;
  const loading = missingPage(output) !== null;
  const hasEarlier = (lines[0]?.number ?? 1) > 1;
  const newestText = `The newest ${lines.length.toLocaleString()} of ${newest.toLocaleString()} lines.`;
  return (
    <>
      <p className="output-summary muted small" role="note">
        {loading && `Loading more lines… ${counted(newest, 'line')} so far.`}
        {!loading && (hasEarlier ? newestText : counted(lines.length, 'line'))}
        {hasEarlier && (
          <>
            {' '}
            <a href={hrefOf('apps', { appName, tab: 'runs', ...(runId !== null && { run: runId }) })}>
              All that is kept of this run
            </a>
          </>
        )}
      </p>
      <FollowedLines lines={lines} label="Output" none={loading ? 'Loading…' : 'No output yet.'} />
    </>
  );
}
