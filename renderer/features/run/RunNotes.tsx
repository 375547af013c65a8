import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { AppProcessInfo } from '../../../daemon/contract/apps/runs.ts';
import { SmallButton } from '../../parts/buttons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Elapsed, SecondsLeft, useKnownNow } from '../../parts/Times.tsx';
import { holderOf, runOf } from '../../slices/apps/apps-slice.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
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

/** Most apps end at once, so the progress of a stop appears late. */
const SHOW_AFTER_MS = 1_500;

/** Shows the remaining processes of a stopping app, the time left, and Force stop. */
function StopProgress({ run }: { readonly run: Exclude<AppSlotState, { state: 'free' }> }) {
  const stopApp = useDashboard((s) => s.stopApp);
  const { pending, blocked } = useCommand('stop', 'force');
  const title = useDashboard(holderOf);
  const waitedMs = useKnownNow(500) - Date.parse(run.since);
  if (waitedMs < SHOW_AFTER_MS) return null;
  // Without processes left, only the robot's return to its default position is pending.
  const isAlive = run.until !== null || run.alive.length > 0;
  return (
    <section className="stack stop-progress small" aria-label={`${title} is being stopped`}>
      <p>
        {run.detail ?? 'It has not ended yet.'}{' '}
        {run.until && <SecondsLeft until={run.until}>{(s) => `It is force-stopped in ${s} s.`}</SecondsLeft>}
      </p>
      <ProcessList processes={run.alive} />
      {isAlive && (
        <SmallButton
          disabled={blocked}
          loading={pending}
          onClick={() => void stopApp({ force: true })}
          aria-label={`Force stop ${title}`}
        >
          Force stop{run.alive.length > 1 ? ` all ${run.alive.length}` : ''}
        </SmallButton>
      )}
    </section>
  );
}

export function ProcessList({ processes }: { readonly processes: readonly AppProcessInfo[] }) {
  if (processes.length === 0) return null;
  return (
    <ul className="process-list mono" aria-label="Processes">
      {processes.map(({ pid, command }) => (
        <li key={pid} title={command}>
          <span className="muted">{pid}</span> {command}
        </li>
      ))}
    </ul>
  );
}
