import { Note } from '../../parts/Note.tsx';
import { hrefOf } from '../../parts/route.ts';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { runOf } from './apps-slice.ts';
import { isFailure, lastRunOf } from './run-words.ts';

/** What is worth knowing about an app's run: what it waits for, that nothing is heard of it, a stop that was refused, how it failed. */
export function RunNotes({ name }: { readonly name: string }) {
  const slot = useDashboard((s) => s.slot);
  const stopRefusal = useDashboard((s) => s.stopRefusal);
  const run = runOf(slot, name);
  const last = lastRunOf(slot, name);
  if (run) {
    return (
      <>
        {run.detail && <p className="small muted">{run.detail}</p>}
        {run.state === 'running' && run.sdk === 'silent' && (
          <p className="small muted">
            Nothing is heard from it. Either it does without the robot, or it hangs: then stop it.
          </p>
        )}
        {stopRefusal && <Note tone="failed" urgent title={stopRefusal.message} />}
      </>
    );
  }
  if (!last || !isFailure(last)) return null;
  return (
    <Note
      tone="failed"
      title={last.message}
      actions={
        <>
          <a href={hrefOf('apps', { appName: name, tab: 'output' })}>See its output</a>
          <span className="muted">
            <TimeAgo at={last.endedAt} />
          </span>
        </>
      }
    />
  );
}
