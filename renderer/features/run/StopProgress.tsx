import { Button } from '@mantine/core';
import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import { SecondsLeft } from '../../parts/Times.tsx';
import { useKnownNow } from '../../parts/use-now.ts';
import { holderOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ProcessList } from './ProcessList.tsx';

/** Most apps end at once, so the progress of a stop appears late. */
const SHOW_AFTER_MS = 1_500;

/** Shows the remaining processes of a stopping app, the time left, and Force stop. */
export function StopProgress({ run }: { readonly run: Exclude<AppSlotState, { state: 'free' }> }) {
  const stopApp = useDashboard((s) => s.stopApp);
  const pending = useDashboard(isPending('stop', 'force'));
  const title = useDashboard(holderOf);
  const connected = useDashboard(isConnected);
  const waitedMs = useKnownNow(500) - Date.parse(run.since);
  if (waitedMs < SHOW_AFTER_MS) return null;
  // Without processes left, only the robot's return to its default position is pending.
  const isAlive = run.until !== null || run.alive.length > 0;
  return (
    <section className="stop-progress small" aria-label={`${title} is being stopped`}>
      <p>
        {run.detail ?? 'It has not ended yet.'}{' '}
        {run.until && <SecondsLeft until={run.until}>{(s) => `It is force-stopped in ${s} s.`}</SecondsLeft>}
      </p>
      <ProcessList processes={run.alive} />
      {isAlive && (
        <Button
          variant="default"
          size="compact-sm"
          disabled={!connected || pending}
          loading={pending}
          onClick={() => void stopApp({ force: true })}
          aria-label={`Force stop ${title}`}
        >
          Force stop{run.alive.length > 1 ? ` all ${run.alive.length}` : ''}
        </Button>
      )}
    </section>
  );
}
