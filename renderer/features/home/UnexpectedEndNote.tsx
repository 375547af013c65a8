import type { DaemonStatus } from '../../../daemon/contract/daemon.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';

type UnexpectedEnd = NonNullable<DaemonStatus['unexpectedEnd']>;

const keyOf = ({ at }: UnexpectedEnd) => `unexpected end ${at}`;

/** How the last daemon ended, if that was unexpected and is not dismissed; null: nothing to tell. */
export function useUnexpectedEnd(): UnexpectedEnd | null {
  const end = useDashboard((s) => s.daemon?.unexpectedEnd);
  const dismissed = useDashboard((s) => s.dismissed);
  return end && !dismissed.includes(keyOf(end)) ? end : null;
}

/** Says that the last daemon ended unexpectedly, what was done about it, and what to do. */
export function UnexpectedEndNote({ end }: { readonly end: UnexpectedEnd }) {
  const dismiss = useDashboard((s) => s.dismiss);
  return (
    <Note
      tone="failed"
      title={end.what}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(keyOf(end)) }}
    >
      <p>
        {end.done} {end.action}{' '}
        <span className="muted">
          <TimeAgo at={end.at} />
        </span>
      </p>
    </Note>
  );
}
