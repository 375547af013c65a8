import { Note } from '../../parts/notes/Note.tsx';
import { SecondsLeft } from '../../parts/Times.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CrashNote } from './CrashNote.tsx';
import { endedAbnormally, lastRunOf } from './run-text.ts';
import { StopProgress } from './StopProgress.tsx';
import './run-notes.css';

interface RunNotesProps {
  readonly name: string;
  /** `short`: without Restart, next to Start. `none`: the page shows something else. */
  readonly crash?: 'short' | 'full' | 'none';
}

/** Shows an app's pending wait, a silent SDK, a refused stop, or how the last run failed. */
export function RunNotes({ name, crash = 'short' }: RunNotesProps) {
  const slot = useDashboard((s) => s.slot);
  const stopRefusal = useDashboard(refusalOf('stop'));
  const run = runOf(slot, name);
  const last = lastRunOf(slot, name);
  if (run) {
    return (
      <>
        {run.state === 'stopping' && <StopProgress run={run} />}
        {run.state !== 'stopping' && run.detail && (
          <p className="small muted">
            {run.detail} {run.until && <SecondsLeft until={run.until}>{(s) => `At most ${s} s more.`}</SecondsLeft>}
          </p>
        )}
        {run.state === 'running' && run.sdk === 'silent' && (
          <p className="small muted">No contact with the app. It may not use the robot, or it hangs: then stop it.</p>
        )}
        {stopRefusal && <Note tone="failed" urgent title={stopRefusal.message} />}
      </>
    );
  }
  if (crash === 'none' || !last || !endedAbnormally(last)) return null;
  return <CrashNote run={last} withRestart={crash === 'full'} />;
}
