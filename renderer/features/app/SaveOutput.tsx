import { useDashboard } from '../../store/use-dashboard.ts';
import { filterQuery, type LineFilter } from '../output/OutputFilter.tsx';
import { SaveFile } from '../output/SaveFile.tsx';

/** Saves everything that is kept of a run's output to a file, or all lines that match a filter. */
export function SaveOutput({ runId, filter }: { readonly runId: string; readonly filter: LineFilter }) {
  const fetchRunOutputFile = useDashboard((s) => s.fetchRunOutputFile);
  return (
    <SaveFile name="the output" filter={filter} fetchFile={() => fetchRunOutputFile(runId, filterQuery(filter))} />
  );
}
