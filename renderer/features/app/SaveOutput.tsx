import { useDashboard } from '../../store/use-dashboard.ts';
import { SaveFile } from './SaveFile.tsx';

/** Saves everything that is kept of a run's output to a file. */
export function SaveOutput({ runId }: { readonly runId: string }) {
  const fetchRunOutputFile = useDashboard((s) => s.fetchRunOutputFile);
  return <SaveFile name="the output" fetchFile={() => fetchRunOutputFile(runId)} />;
}
