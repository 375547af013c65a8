import { Note } from '../../parts/notes/Note.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { nothingSavedText } from './frame-text.ts';
import './notices.css';

/** Shown on every page while the daemon cannot save anything. */
export function StorageNotice() {
  const problem = useDashboard((s) => s.daemon?.storageProblem);
  if (!problem) return null;
  return (
    <section aria-label="Storage" className="storage-notice">
      <Note tone="failed" title={nothingSavedText}>
        <p>
          {problem.reason} {problem.action}
        </p>
      </Note>
    </section>
  );
}
