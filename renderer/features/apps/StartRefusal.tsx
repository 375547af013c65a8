import { Button } from '@mantine/core';
import { Note } from '../../parts/Note.tsx';
import { hrefOf } from '../../parts/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isConnected } from '../connection/connection-slice.ts';

/** Why a start was refused, in the daemon's words, with what to do about it. */
export function StartRefusal({ name }: { readonly name: string }) {
  const refusal = useDashboard((s) => s.startRefusals[name]);
  const dismiss = useDashboard((s) => s.dismissStartRefusal);
  // Only what was started here can be replaced from here.
  const running = useDashboard((s) =>
    s.slot.state !== 'free' && s.slot.holder.kind === 'managed-app' ? s.slot.holder.appName : null,
  );
  if (!refusal) return null;
  if (refusal.status === 409 && running !== null && running !== name) {
    return <ReplaceChoice name={name} running={running} why={refusal.message} />;
  }
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(name) }}
      actions={
        <>
          {refusal.status === 503 && <a href={hrefOf('robot')}>See the robot</a>}
          {refusal.status === 404 && <a href={hrefOf('apps', { tab: 'samples' })}>See the samples</a>}
        </>
      }
    />
  );
}

interface ReplaceChoiceProps {
  readonly name: string;
  readonly running: string;
  readonly why: string;
}

/** One app at a time: nothing is stopped for another without a word. */
function ReplaceChoice({ name, running, why }: ReplaceChoiceProps) {
  const startApp = useDashboard((s) => s.startApp);
  const dismiss = useDashboard((s) => s.dismissStartRefusal);
  const connected = useDashboard(isConnected);
  return (
    <Note
      tone="busy"
      urgent
      title={why}
      actions={
        <>
          <Button
            variant="default"
            size="compact-sm"
            disabled={!connected}
            onClick={() => void startApp(name, { replace: true })}
          >
            Replace {running}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => dismiss(name)}>
            Keep {running}
          </Button>
        </>
      }
    />
  );
}
