import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { hrefOf } from '../../navigation/route.ts';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Shows the daemon's reason for a refused start, with what to do. */
export function StartRefusal({ name }: { readonly name: string }) {
  const refusal = useDashboard(refusalOf(`start ${name}`));
  const dismiss = useDashboard((s) => s.dismissRefusal);
  // Only apps started by the daemon can be replaced.
  const running = useDashboard((s) =>
    s.slot.state !== 'free' && s.slot.holder.kind === 'managed-app' ? s.slot.holder.appName : null,
  );
  if (!refusal) return null;
  if (refusal.status === 409 && running !== null && running !== name) {
    return <ReplaceChoice name={name} running={running} />;
  }
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(`start ${name}`) }}
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
}

/** Asks before another app is stopped for this one. */
function ReplaceChoice({ name, running }: ReplaceChoiceProps) {
  const box = useFocusWhenShown<HTMLDivElement>();
  const title = useDashboard((s) => titleOf(s, running));
  const startApp = useDashboard((s) => s.startApp);
  const dismiss = useDashboard((s) => s.dismissRefusal);
  const stopping = useDashboard((s) => s.slot.state === 'stopping');
  const connected = useDashboard(isConnected);
  const pending = useDashboard(isPending(`start ${name}`));
  // It may open below the visible part of the page.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [box]);
  return (
    <div ref={box}>
      <Note
        tone="busy"
        urgent
        title={`${title} is ${stopping ? 'stopping' : 'running'}.`}
        actions={
          <>
            <Button
              variant="default"
              size="compact-sm"
              disabled={!connected || pending}
              loading={pending}
              onClick={() => void startApp(name, { replace: true })}
            >
              Replace {title}
            </Button>
            <Button variant="default" size="compact-sm" onClick={() => dismiss(`start ${name}`)}>
              Cancel
            </Button>
          </>
        }
      />
    </div>
  );
}
