import { Note } from '../../parts/notes/Note.tsx';
import { Elapsed, SecondsLeft } from '../../parts/Times.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { StopProgress } from './StopProgress.tsx';
import './run-notes.css';

const atMost = (seconds: number) =>
  seconds < 120 ? `At most ${seconds} s more.` : `At most ${Math.round(seconds / 60)} min more.`;

/** Shows an app's pending wait, how long it has loaded, a silent SDK or a refused stop. */
export function RunNotes({ name }: { readonly name: string }) {
  const slot = useDashboard((s) => s.slot);
  const stopRefusal = useDashboard(refusalOf('stop'));
  const run = runOf(slot, name);
  if (!run) return null;
  return (
    <>
      {run.state === 'stopping' && <StopProgress run={run} />}
      {run.state !== 'stopping' && run.detail && (
        <p className="small muted">
          {run.detail} {run.state === 'starting' && run.sdk === 'silent' && <Elapsed since={run.since} />}
          {run.until && <SecondsLeft until={run.until}>{atMost}</SecondsLeft>}
        </p>
      )}
      {run.state === 'running' && run.sdk === 'silent' && (
        <p className="small muted">No contact with the app. It may not use the robot, or it hangs: then stop it.</p>
      )}
      {stopRefusal && <Note tone="failed" urgent title={stopRefusal.message} />}
    </>
  );
}
