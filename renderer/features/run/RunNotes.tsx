import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { AppProcessInfo } from '../../../daemon/contract/apps/runs.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { Elapsed, SecondsLeft, useKnownNow } from '../../parts/Times.tsx';
import { holderOf, runOf } from '../../slices/apps/apps-slice.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { forceStopText, notEndedText, silentText, waitAtMostText } from './run-text.ts';
import './run-notes.css';

type Run = Exclude<AppSlotState, { state: 'free' }>;

/** Shows an app's pending wait, how long it has loaded, a silent SDK or a refused stop. */
export function RunNotes({ name }: { readonly name: string }) {
  const run = useDashboard((s) => runOf(s.slot, name));
  if (!run) return null;
  return (
    <>
      {isWaiting(run) && <RunDetail run={run} />}
      <StopProgress run={run} />
      <StopRefusal />
    </>
  );
}

const isSilent = ({ state, sdk }: Run) => state === 'running' && sdk === 'silent';

/** Whether a run waits for something, or nothing is heard of it. */
export const isWaiting = (run: Run): boolean => run.state !== 'stopping' && (run.detail !== null || isSilent(run));

interface RunDetailProps {
  readonly run: Run;
  readonly className?: string;
}

/** The wait of a run and how long it takes at most, or that its SDK is silent. */
export function RunDetail({ run, className = 'small muted' }: RunDetailProps) {
  return (
    <p className={className}>
      {run.detail !== null && (
        <>
          {run.detail} {run.state === 'starting' && run.sdk === 'silent' && <Elapsed since={run.since} />}
          {run.until && <SecondsLeft until={run.until}>{waitAtMostText}</SecondsLeft>}{' '}
        </>
      )}
      {isSilent(run) && silentText}
    </p>
  );
}

/** Why the stop of the running app was refused. */
export function StopRefusal() {
  const refusal = useDashboard(refusalOf('stop'));
  return refusal && <Note tone="failed" urgent title={refusal.message} />;
}

/** Most apps end at once, so the progress of a stop appears late. */
const SHOW_AFTER_MS = 1_500;

/** Shows the remaining processes of a stopping app, the time left, and Force stop; nothing for a run that is not stopped. */
export const StopProgress = ({ run }: { readonly run: Run }) => run.state === 'stopping' && <SlowStop run={run} />;

function SlowStop({ run }: { readonly run: Run }) {
  const stopApp = useDashboard((s) => s.stopApp);
  const { pending, blocked } = useCommand('stop', 'force');
  const title = useDashboard(holderOf);
  const waitedMs = useKnownNow(500) - Date.parse(run.since);
  if (waitedMs < SHOW_AFTER_MS) return null;
  // Without processes left, only the robot's return to its default position is pending.
  const isAlive = run.until !== null || run.alive.length > 0;
  const isMany = run.alive.length > 1;
  const forceText = isMany ? `Force stop all ${run.alive.length}` : 'Force stop';
  return (
    <section className="stack stop-progress small" aria-label={`${title} is being stopped`}>
      <p>
        {run.detail ?? notEndedText} {run.until && <SecondsLeft until={run.until}>{forceStopText}</SecondsLeft>}
      </p>
      <ProcessList processes={run.alive} />
      {isAlive && (
        <SmallButton
          disabled={blocked}
          loading={pending}
          onClick={() => void stopApp({ force: true })}
          aria-label={`${forceText}${isMany ? ' of' : ''} ${title}`}
        >
          {forceText}
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
