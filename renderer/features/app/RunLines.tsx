import { useDashboard } from '../../store/use-dashboard.ts';
import { FollowedPages } from '../output/FollowedPages.tsx';
import { filterQuery, type LineFilter } from '../output/OutputFilter.tsx';
import { SaveFile } from '../output/SaveFile.tsx';

/** Pages of everything that is kept of a run's output. */
export function RunLines({ runId, filter }: { readonly runId: string; readonly filter: LineFilter }) {
  /** Of the current or last run, as the events report it. */
  const newest = useDashboard((s) => (s.output.runId === runId ? s.output.newest : null));
  return (
    <FollowedPages
      of={['run-output', runId]}
      filter={filter}
      newest={newest}
      ask={(query) => (call, signal) => call('getRunOutput', { params: { runId }, query, signal })}
      failure="The output could not be loaded"
      whole="this run"
    />
  );
}

/** Saves everything that is kept of a run's output to a file, or all lines that match a filter. */
export function SaveOutput({ runId, filter }: { readonly runId: string; readonly filter: LineFilter }) {
  const call = useDashboard((s) => s.call);
  return (
    <SaveFile
      name="the output"
      filter={filter}
      fetchFile={() => call('getRunOutputFile', { params: { runId }, query: filterQuery(filter) })}
    />
  );
}
